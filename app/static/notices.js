// Lets this browser be woken, and keeps whether it makes a sound; without it the page offers neither.

const form = document.getElementById("push");
const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));

if (form && "serviceWorker" in navigator && "PushManager" in window) {
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    if (form.elements.endpoint.value) return;
    event.preventDefault();
    if ((await Notification.requestPermission()) !== "granted") return;
    const worker = await navigator.serviceWorker.ready;
    const found = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(form.dataset.key) });
    const { endpoint, keys } = found.toJSON();
    Object.assign(form.elements.endpoint, { value: endpoint });
    form.elements.p256dh.value = keys.p256dh;
    form.elements.auth.value = keys.auth;
    form.submit();
  });
}

const sound = document.getElementById("sound");
sound.disabled = false;
sound.checked = localStorage.getItem("sound") === "on";
sound.addEventListener("change", () => localStorage.setItem("sound", sound.checked ? "on" : "off"));
