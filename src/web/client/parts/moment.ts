/** When something was, for people: in the browser's time zone, the same form everywhere. */
const two = (value: number) => String(value).padStart(2, '0');

/** `2026-11-30 10:05` */
export function momentText(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
