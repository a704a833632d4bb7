// Around the table: how many matches wait, kept true on pages that stay open, and what was said marked as read.

const LOOK = 60_000; // milliseconds between two looks
const script = document.querySelector("script[data-waiting]");
let known = Number(script?.dataset.waiting ?? 0);
const plain = document.title.replace(/^\(\d+\) /, "");

async function look() {
  if (document.hidden && !("Notification" in window)) return;
  const answer = await fetch("/waiting", { redirect: "error" }).catch(() => null);
  if (!answer?.ok) return;
  const { count } = await answer.json();
  if (count === known) return;
  if (count > known && localStorage.getItem("sound") === "on") chime();
  known = count;
  document.title = count ? `(${count}) ${document.title.replace(/^\(\d+\) /, "")}` : plain;
  document.querySelector("link[rel=icon]").href = count ? `/icon/${Math.min(count, 99)}.svg` : "/static/icon.svg";
  const link = document.querySelector(".my-matches");
  let badge = link?.querySelector("[data-count]");
  if (link && !badge) {
    badge = document.createElement("span");
    badge.className = "count";
    badge.dataset.count = "";
    link.append(" ", badge);
  }
  if (badge) badge.textContent = count || "";
}

// Two soft tones; only for those who asked for them on their account's page.
function chime() {
  const sound = new AudioContext();
  [660, 880].forEach((pitch, number) => {
    const tone = sound.createOscillator();
    const loud = sound.createGain();
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0.12, sound.currentTime + number * 0.18);
    loud.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + number * 0.18 + 0.4);
    tone.connect(loud).connect(sound.destination);
    tone.start(sound.currentTime + number * 0.18);
    tone.stop(sound.currentTime + number * 0.18 + 0.4);
  });
}

// Talk that was on the screen is read.
const talk = document.getElementById("talk");
const table = location.pathname.match(/^\/m\/[0-9a-z]+/)?.[0];
if (talk && table) {
  new IntersectionObserver((seen, watcher) => {
    if (!seen.some((one) => one.isIntersecting)) return;
    const unread = document.getElementById("unread");
    if (unread && !unread.textContent) return; // nothing new: it may come yet
    if (unread) unread.textContent = "";
    else watcher.disconnect();
    const token = document.querySelector("input[name=csrf_token]")?.value ?? "";
    fetch(`${table}/read`, { method: "POST", body: new URLSearchParams({ csrf_token: token }) }).catch(() => null);
  }).observe(talk);
}

// Whoever is new need not look for their time zone in a list.
for (const field of document.querySelectorAll("[data-timezone]")) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone;

// Links to hand on: copied by a press, or shared by what the device has for it; also on what is fetched later.
document.documentElement.classList.toggle("copies", Boolean(navigator.clipboard));
document.documentElement.classList.toggle("shares", Boolean(navigator.share));
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy], [data-share]");
  if (!button) return;
  const url = document.getElementById(button.dataset.copy ?? button.dataset.share).value;
  if ("share" in button.dataset) return void navigator.share({ url, title: document.title }).catch(() => null);
  await navigator.clipboard.writeText(url);
  button.classList.add("done");
  setTimeout(() => button.classList.remove("done"), 2000);
});

if (script) {
  setInterval(look, LOOK);
  document.addEventListener("visibilitychange", () => document.hidden || look());
}

if ("serviceWorker" in navigator) navigator.serviceWorker.register("/worker.js").catch(() => null);

// A waiting room looks now and then who has come and what was said; a seat that is being changed stays as it is.
const room = document.querySelector("#room[data-live]")?.dataset.live;
async function arrivals() {
  if (document.hidden) return;
  const answer = await fetch(room).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!fresh.getElementById("room")) return void (document.getElementById("say")?.value || location.assign(room)); // it has begun
  const [seats, said] = [".chairs", "#said"].map((name) => [document.querySelector(name), fresh.querySelector(name)]);
  if (seats[0].textContent !== seats[1].textContent && !seats[0].querySelector("[open], :focus")) seats[0].replaceWith(document.adoptNode(seats[1]));
  if (said[0] && said[1]) said[0].append(...[...said[1].children].slice(said[0].children.length));
}
if (room) setInterval(arrivals, 4000);
