// The days before now, with how much of what happened on each.

export const VERBS = ["created", "duplicate", "revised", "forgotten", "superseded", "restored", "decayed", "deleted"];

export function lastDays({ days, now }, many = 30) {
  const events = Object.fromEntries(days.map((one) => [one.day, one.events]));
  return Array.from({ length: many }, (_, at) => {
    const day = new Date(now - (many - 1 - at) * 86_400_000).toISOString().slice(0, 10);
    return { day, events: events[day] || {} };
  });
}
