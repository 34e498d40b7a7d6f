/** How far something is, as a bar. */

const LENGTH = 24;

export function progressBar(share: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * LENGTH);
  return '█'.repeat(filled) + '░'.repeat(LENGTH - filled);
}
