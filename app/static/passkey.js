// Passkeys: what only a browser can do. It shows the form, asks the device, and sends what came of it as a form like any other.

const forms = window.PublicKeyCredential ? document.querySelectorAll("form[data-passkey]") : [];

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

// The server's options as the browser wants them: bytes where JSON has letters.
function understood(options) {
  const listed = (list) => (list ?? []).map((one) => ({ ...one, id: bytes(one.id) }));
  const user = options.user && { ...options.user, id: bytes(options.user.id) };
  return {
    ...options,
    challenge: bytes(options.challenge),
    ...(user ? { user, excludeCredentials: listed(options.excludeCredentials) } : { allowCredentials: listed(options.allowCredentials) }),
  };
}

// What the device made as the server reads it.
function written({ id, rawId, type, response }) {
  const parts = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];
  const told = parts.filter((part) => response[part]).map((part) => [part, text(response[part])]);
  return JSON.stringify({ id, rawId: text(rawId), type, response: Object.fromEntries(told) });
}

async function ask(form) {
  const asked = await fetch(form.dataset.options, { method: "POST", body: new URLSearchParams(new FormData(form)) });
  if (!asked.ok) throw new Error(asked.status);
  const publicKey = understood(await asked.json());
  return navigator.credentials[form.dataset.passkey]({ publicKey });
}

for (const form of forms) {
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const said = form.querySelector("[data-failed]");
    said.textContent = "";
    try {
      form.elements.credential.value = written(await ask(form));
      form.submit();
    } catch {
      said.textContent = said.dataset.failed;
    }
  });
}
