/**
 * What a board's lists have beside every report: their look, and what a script adds to tables that are whole without.
 */

export const BOARD_STYLE = `
.filter { display: flex; flex-wrap: wrap; gap: 10px 16px; align-items: end; margin: 16px 0 4px; }
.filter[hidden], nav.by[hidden], table.runs tr[hidden] { display: none; }
.filter label { display: flex; flex-direction: column; font-size: 12px; color: var(--quiet); gap: 3px;
  max-width: 100%; }
.filter select, .filter input { font: inherit; font-size: 14px; color: var(--ink); background: var(--paper);
  border: 1px solid var(--quiet); border-radius: 4px; padding: 5px 8px; min-height: 34px; max-width: min(300px, 100%); }
.filter select:focus-visible, .filter input:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.filter p { flex-basis: 100%; margin: 0; }
nav.by { display: flex; gap: 6px 10px; align-items: baseline; margin-top: 10px; }
nav.by .label { min-width: 76px; margin: 0; }
nav.by ul { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 2px 14px; }
nav.by a { white-space: normal; margin: 0; display: inline; }
table.runs a { color: var(--accent); }
table.runs { margin-top: 22px; }
table.runs small { color: var(--quiet); }
table.runs th, table.runs td.word { white-space: nowrap; }
th button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer;
  text-align: inherit; }
th button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
th[aria-sort=ascending] button::after { content: ' \\2191'; }
th[aria-sort=descending] button::after { content: ' \\2193'; }
@media (max-width: 640px) { nav.by { flex-direction: column; } .filter label { flex: 1 1 100%; }
  .filter select, .filter input { max-width: 100%; width: 100%; } }
`;

/**
 * Choosing and sorting among rows that stand on the page. What was chosen is kept in the address, so that it can be
 * sent to somebody. It asks nobody for anything.
 */
export const BOARD_SCRIPT = `
(() => {
  'use strict';
  const filter = document.querySelector('[data-filter]');
  const table = document.querySelector('table.runs');
  if (!filter || !table) return;
  filter.hidden = false;
  for (const nav of document.querySelectorAll('nav.by')) nav.hidden = true;
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => ({ row, text: row.textContent.toLowerCase() }));
  const fields = [...filter.querySelectorAll('select, input')];
  const status = filter.querySelector('[role=status]');
  const apply = () => {
    const wanted = Object.fromEntries(fields.map((field) => [field.name, field.value]));
    const words = wanted.words.toLowerCase().split(/\\s+/).filter((word) => word !== '');
    let shown = 0;
    for (const { row, text } of rows) {
      const fits =
        ['machine', 'server', 'workload'].every((key) => wanted[key] === '' || row.dataset[key] === wanted[key]) &&
        words.every((word) => text.includes(word));
      row.hidden = !fits;
      if (fits) shown++;
    }
    status.textContent = shown === rows.length ? '' : shown + ' of ' + rows.length + ' runs';
    const kept = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value !== ''));
    if (String(kept) !== location.hash.slice(1)) history.replaceState(null, '', '#' + kept);
  };
  const restore = () => {
    const kept = new URLSearchParams(location.hash.slice(1));
    for (const field of fields) field.value = kept.get(field.name) ?? '';
    for (const field of fields) if (field.value === '' && field.tagName === 'SELECT') field.selectedIndex = 0;
    apply();
  };
  filter.addEventListener('input', apply);
  window.addEventListener('hashchange', restore);
  restore();

  const keyOf = (row, at) => {
    const cell = row.cells[at];
    const sort = cell.dataset.sort;
    return sort === undefined ? cell.textContent : Number(sort);
  };
  const compare = (one, other) => {
    if (typeof one === 'number' && typeof other === 'number') return one - other;
    // What is not known comes last among numbers.
    if (typeof one === 'number') return -1;
    if (typeof other === 'number') return 1;
    return one < other ? -1 : Number(one > other);
  };
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, at) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = heading.textContent;
    heading.textContent = '';
    heading.append(button);
    button.addEventListener('click', () => {
      const isDown = heading.getAttribute('aria-sort') === 'ascending';
      for (const each of headings) each.removeAttribute('aria-sort');
      heading.setAttribute('aria-sort', isDown ? 'descending' : 'ascending');
      const sorted = rows.map(({ row }) => ({ row, key: keyOf(row, at) }));
      sorted.sort((one, other) => (isDown ? compare(other.key, one.key) : compare(one.key, other.key)));
      body.append(...sorted.map(({ row }) => row));
    });
  });
})();
`;
