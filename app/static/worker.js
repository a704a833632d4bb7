// What the device does for us: shows a page of its own when we cannot be reached, and tells what was pushed to it.

const KEPT = "offline-2";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((box) => box.add("/offline")));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((kept) => Promise.all(kept.filter((name) => name !== KEPT).map((name) => caches.delete(name)))));
});

self.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate" || event.request.method !== "GET") return;
  event.respondWith(fetch(event.request).catch(() => caches.match("/offline")));
});

self.addEventListener("push", (event) => {
  const told = event.data?.json() ?? {};
  event.waitUntil(self.registration.showNotification(told.title ?? "Chasqui", { body: told.body, tag: told.tag, data: told.url, icon: "/static/icon-192.png" }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(event.notification.data ?? "/"));
});
