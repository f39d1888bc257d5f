"use strict";
const colours = ["#ffd54d", "#8fd3ff", "#a5e68a", "#ffab91", "#d7b3ff", "#7fe0d0", "#ff9ec7", "#cfd96b", "#b0bfff", "#e0b98a"];
const pick = document.getElementById("pick");
const lit = new Map(); // of the function shown: name → colour
let used = 0;

const section = () => document.getElementById(pick.value);

function show() {
  for (const s of document.querySelectorAll("section")) s.classList.toggle("shown", s.id === pick.value);
  clear();
}

// Elements are found by a walk, for names may hold any character.
function paint(name, colour) {
  for (const e of section().querySelectorAll("[data-v]")) {
    if (e.dataset.v !== name) continue;
    e.classList.toggle("marked", colour !== "");
    const box = e.querySelector("rect");
    if (box) box.style.fill = colour; else e.style.background = colour;
  }
}

function toggle(name) {
  if (lit.has(name)) {
    lit.delete(name);
    paint(name, "");
    return;
  }
  const colour = colours[used++ % colours.length];
  lit.set(name, colour);
  paint(name, colour);
}

function line(n) {
  const all = [...section().querySelectorAll("[data-l]")].filter((e) => e.dataset.l === n);
  const on = !all.some((e) => e.classList.contains("lit"));
  for (const e of all) e.classList.toggle("lit", on);
}

function clear() {
  for (const e of document.querySelectorAll(".marked")) {
    e.classList.remove("marked");
    const box = e.querySelector("rect");
    if (box) box.style.fill = ""; else e.style.background = "";
  }
  for (const e of document.querySelectorAll(".lit")) e.classList.remove("lit");
  lit.clear();
  used = 0;
}

document.addEventListener("click", (ev) => {
  const v = ev.target.closest("[data-v]");
  if (v) return toggle(v.dataset.v);
  const head = ev.target.closest("h2");
  if (head) return head.parentElement.classList.toggle("folded");
  const l = ev.target.closest(".src [data-l], .op i");
  if (l) line(l.dataset.l || l.parentElement.dataset.l);
});
document.addEventListener("keydown", (ev) => { if (ev.key === "Escape") clear(); });
pick.addEventListener("change", show);
show();
