// Several plans for one match: kept in this browser, each the orders of a draft; one of them is the draft at a time.

const MOST = 6;
// By seat too: two who share a browser, and did not sign out in between, find each their own.
const key = () => `plans ${location.pathname} ${document.querySelector("input[name=seat]")?.value ?? ""}`;

function read() {
  try { return JSON.parse(localStorage.getItem(key())) ?? []; } catch { return []; }
}

function write(plans) {
  try { localStorage.setItem(key(), JSON.stringify(plans.slice(-MOST))); } catch { /* a browser that keeps nothing */ }
}

// Fills the box below the draft; `give` makes some orders the draft.
export function showPlans(box, orders, give) {
  if (!box) return;
  const plans = read();
  const known = plans.some((plan) => plan.join() === orders.join());
  const keep = item(box.dataset.keep, () => { write([...plans, orders]); showPlans(box, orders, give); });
  const rows = plans.map((plan, number) => {
    const row = document.createElement("li");
    const drop = item(box.dataset.drop, () => { write(plans.filter((_, at) => at !== number)); showPlans(box, orders, give); });
    const take = item(plan.join("; "), () => give(plan));
    take.disabled = plan.join() === orders.join();
    row.append(take, drop);
    return row;
  });
  const list = document.createElement("ul");
  list.append(...rows);
  box.replaceChildren(...(orders.length && !known ? [keep] : []), ...(rows.length ? [list] : []));
  box.hidden = !box.childElementCount;
}

function item(words, act) {
  const made = Object.assign(document.createElement("button"), { type: "button", className: "plain", textContent: words });
  made.addEventListener("click", act);
  return made;
}
