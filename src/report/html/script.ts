/**
 * What a report can do beyond being read, where scripts are on: values under the pointer, zooming into time, lines put
 * away and back. It is text here because it runs in the reader's browser; it asks nobody for anything, and everything
 * that it shows stands on the page already. Its text is hashed for the page's policy.
 */
export const SCRIPT = `
(() => {
  'use strict';
  const SVG = 'http://www.w3.org/2000/svg';
  const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 86400];
  const DRAG_MIN_PX = 8;
  const read = (text) => (text ? text.split(',').map((each) => (each === '' ? null : Number(each))) : []);
  const make = (name, attributes) => {
    const made = document.createElementNS(SVG, name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    return made;
  };
  const tidy = (value) => String(Number(value.toFixed(3)));
  const shown = (value) =>
    Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(4)));
  const moment = (seconds) => {
    const whole = Math.abs(seconds);
    if (whole < 120) return tidy(Math.round(seconds * 10) / 10) + ' s';
    const sign = seconds < 0 ? '-' : '';
    const hours = Math.floor(whole / 3600);
    const minutes = Math.floor((whole % 3600) / 60);
    const rest = String(Math.floor(whole % 60)).padStart(2, '0') + ' s';
    return sign + (hours ? hours + ' h ' + String(minutes).padStart(2, '0') + ' min ' : minutes + ' min ') + rest;
  };
  const timeLabel = (seconds, step) =>
    step >= 3600 ? tidy(seconds / 3600) + ' h' : step >= 60 ? tidy(seconds / 60) + ' min' : tidy(seconds) + ' s';
  const percentile = (nines) => 'p' + tidy(100 * (1 - 10 ** -nines));

  const tip = document.createElement('div');
  tip.className = 'tip';
  tip.hidden = true;
  document.body.append(tip);

  const charts = [...document.querySelectorAll('figure.chart')].map((figure) => {
    const plot = figure.querySelector('svg.plot');
    const area = figure.querySelector('svg.area');
    const shared = read(figure.dataset.x);
    const cursor = make('line', { class: 'cursor', y1: 0, y2: area.getAttribute('height') });
    const selection = make('rect', { class: 'selection', y: 0, height: area.getAttribute('height'), width: 0 });
    cursor.setAttribute('visibility', 'hidden');
    area.append(selection, cursor);
    const lines = [...area.querySelectorAll('path.line')].map((path) => ({
      path,
      name: path.dataset.name,
      xs: path.dataset.x === undefined ? shared : read(path.dataset.x),
      ys: read(path.dataset.y),
    }));
    const [from, to] = [Number(figure.dataset.from), Number(figure.dataset.to)];
    const isTime = figure.dataset.kind === 'time';
    const group = isTime ? (figure.closest('section.run') ?? document.body) : figure;
    const { unit } = figure.dataset;
    return { figure, plot, area, cursor, selection, lines, unit, isTime, group, from, to, low: from, high: to };
  });
  const together = (chart) => charts.filter((other) => other.group === chart.group);

  const valueAt = (chart, clientX) => {
    const box = chart.area.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (clientX - box.left) / box.width));
    return chart.low + share * (chart.high - chart.low);
  };
  const across = (chart, value) => (1000 * (value - chart.from)) / (chart.to - chart.from);
  const nearest = (xs, value) => {
    let [low, high] = [0, xs.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (xs[middle] < value) low = middle;
      else high = middle;
    }
    return Math.abs(xs[low] - value) <= Math.abs(xs[high] - value) ? low : high;
  };

  const hide = (chart) => {
    tip.hidden = true;
    for (const other of together(chart)) other.cursor.setAttribute('visibility', 'hidden');
  };
  const point = (chart, value) => {
    const first = chart.lines.find(({ xs }) => xs.length > 0);
    if (!first) return;
    const at = first.xs[nearest(first.xs, value)];
    chart.value = at;
    for (const other of together(chart)) {
      for (const end of ['x1', 'x2']) other.cursor.setAttribute(end, across(other, at));
      other.cursor.setAttribute('visibility', 'visible');
    }
    const head = document.createElement('b');
    head.textContent = chart.isTime ? moment(at) : percentile(at);
    tip.replaceChildren(head);
    for (const { path, name, xs, ys } of chart.lines) {
      if (path.hasAttribute('hidden') || xs.length === 0) continue;
      const y = ys[nearest(xs, at)];
      const row = document.createElement('div');
      const label = document.createElement('bdi');
      const text = document.createElement('b');
      label.textContent = name;
      text.textContent = y === null || y === undefined ? '-' : (shown(y) + ' ' + chart.unit).trim();
      row.append(label, text);
      tip.append(row);
    }
    tip.hidden = false;
    const box = chart.area.getBoundingClientRect();
    const left = box.left + ((at - chart.low) / (chart.high - chart.low)) * box.width;
    const width = tip.offsetWidth;
    const isRight = left + width + 24 < document.documentElement.clientWidth;
    tip.style.left = Math.max(4, window.scrollX + (isRight ? left + 14 : left - width - 14)) + 'px';
    tip.style.top = window.scrollY + box.top + 6 + 'px';
  };

  const reset = document.createElement('button');
  reset.className = 'zoom';
  reset.type = 'button';
  reset.textContent = 'Show the whole run';
  reset.hidden = true;
  document.body.append(reset);

  const look = (chart, low, high) => {
    chart.low = low;
    chart.high = high;
    const height = chart.area.getAttribute('height');
    const left = across(chart, low);
    chart.area.setAttribute('viewBox', [left, 0, across(chart, high) - left, height].join(' '));
    const span = high - low;
    const stepOf = (count) => STEPS.find((step) => span / step <= count) ?? 86400 * Math.ceil(span / count / 86400);
    const [coarse, fine] = [stepOf(4), stepOf(8)];
    const labels = chart.plot.querySelector('.x-labels');
    labels.replaceChildren();
    for (let index = Math.ceil(low / fine - 1e-9); index * fine <= high + 1e-9; index++) {
      const value = index * fine;
      const isCoarse = Math.abs(value / coarse - Math.round(value / coarse)) < 1e-6;
      const text = make('text', { x: (100 * (value - low)) / span + '%', y: Number(height) + 15, 'text-anchor': 'middle' });
      if (!isCoarse) text.setAttribute('class', 'fine');
      text.textContent = timeLabel(value, fine);
      labels.append(text);
    }
    for (const number of chart.plot.querySelectorAll('.event-number')) {
      const at = Number(number.dataset.at);
      number.setAttribute('x', (100 * (at - low)) / span + '%');
      number.toggleAttribute('hidden', at < low || at > high);
    }
  };
  const whole = () => {
    for (const chart of charts) if (chart.isTime) look(chart, chart.from, chart.to);
    reset.hidden = true;
  };
  reset.addEventListener('click', whole);

  for (const chart of charts) {
    const { plot, figure } = chart;
    let begin;
    plot.setAttribute('tabindex', '0');
    plot.addEventListener('pointermove', (event) => {
      const value = valueAt(chart, event.clientX);
      point(chart, value);
      if (begin === undefined) return;
      const [one, other] = [across(chart, begin.value), across(chart, value)];
      chart.selection.setAttribute('x', Math.min(one, other));
      chart.selection.setAttribute('width', Math.abs(other - one));
    });
    plot.addEventListener('pointerleave', () => hide(chart));
    plot.addEventListener('blur', () => hide(chart));
    plot.addEventListener('pointerdown', (event) => {
      if (!chart.isTime || event.pointerType !== 'mouse' || event.button !== 0) return;
      begin = { value: valueAt(chart, event.clientX), clientX: event.clientX };
      plot.setPointerCapture(event.pointerId);
      event.preventDefault();
    });
    plot.addEventListener('pointerup', (event) => {
      if (begin === undefined) return;
      const ends = [begin.value, valueAt(chart, event.clientX)].sort((a, b) => a - b);
      const isDrag = Math.abs(event.clientX - begin.clientX) >= DRAG_MIN_PX;
      begin = undefined;
      chart.selection.setAttribute('width', 0);
      if (!isDrag) return;
      for (const other of together(chart)) look(other, ends[0], ends[1]);
      reset.hidden = false;
    });
    plot.addEventListener('pointercancel', () => {
      begin = undefined;
      chart.selection.setAttribute('width', 0);
    });
    plot.addEventListener('dblclick', whole);
    plot.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') return whole();
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      const xs = chart.lines.find((each) => each.xs.length > 0)?.xs;
      if (step === undefined || xs === undefined) return;
      event.preventDefault();
      const now = chart.value === undefined ? (step > 0 ? -1 : xs.length) : nearest(xs, chart.value);
      point(chart, xs[Math.min(xs.length - 1, Math.max(0, now + step))]);
    });
    const items = [...figure.querySelectorAll('.legend li')];
    items.forEach((item, at) => {
      const line = chart.lines[at];
      if (line === undefined) return;
      const button = document.createElement('button');
      button.type = 'button';
      button.setAttribute('aria-pressed', 'true');
      button.append(...item.childNodes);
      item.append(button);
      button.addEventListener('click', () => {
        const isShown = line.path.hasAttribute('hidden');
        line.path.toggleAttribute('hidden', !isShown);
        button.setAttribute('aria-pressed', String(isShown));
      });
    });
  }
  for (const hint of document.querySelectorAll('.hint')) hint.hidden = false;
  let closed = [];
  addEventListener('beforeprint', () => {
    closed = [...document.querySelectorAll('details:not([open])')];
    for (const each of closed) each.open = true;
  });
  addEventListener('afterprint', () => {
    for (const each of closed) each.open = false;
  });
})();
`;
