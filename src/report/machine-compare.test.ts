import { expect, test } from 'vitest';
import { figureOf, SAMPLE_CARDS } from '../../test/fixtures/sample-cards.ts';
import type { MachineCard } from '../model/machine-card.ts';
import { compareCards } from './machine-compare.ts';

const { board, server } = SAMPLE_CARDS;

function cardWith(...figures: MachineCard['figures']): MachineCard {
  return { ...board, figures };
}

test.each([
  {
    id: 'cpu.one_thread',
    one: [99, 100, 101],
    other: [199, 200, 201],
    is: { faster: 'other', speed: 2 },
    because: 'more events are faster',
  },
  {
    id: 'commits.overwrite_p50',
    one: [99, 100, 101],
    other: [199, 200, 201],
    is: { faster: 'one', speed: 0.5 },
    because: 'of waiting, less is faster, and speed counts the same way',
  },
  {
    id: 'cpu.one_thread',
    one: [90, 100, 120],
    other: [119, 200, 201],
    is: { faster: 'undecided', speed: 2 },
    because: 'the ranges overlap',
  },
  {
    id: 'cpu.one_thread',
    one: [95, 100, 101],
    other: [102, 103, 104],
    is: { faster: 'undecided' },
    because: 'the medians are nearer than a range is wide',
  },
  {
    id: 'disk.read.depth1',
    one: [0, 0, 0],
    other: [9, 9, 9],
    is: { faster: 'other' },
    because: 'nothing has no multiple, and is slower all the same',
  },
] as const)('$id: $because', ({ id, one, other, is }) => {
  const [figure] = compareCards(cardWith(figureOf(id, [...one])), cardWith(figureOf(id, [...other]))).figures;
  expect(figure).toMatchObject(is);
  expect(Object.hasOwn(figure ?? {}, 'speed')).toBe(one[1] > 0);
});

test('what was measured once decides nothing', () => {
  const once = figureOf('cpu.one_thread', [900, 900, 900], { repeats: [900] });
  const comparison = compareCards(cardWith(once), cardWith(figureOf('cpu.one_thread', [1, 1, 1])));
  expect(comparison.figures[0]?.faster).toBe('undecided');
});

test.each([
  { settings: [{ engine: 'fio' }, { engine: 'sqldyno' }], because: /by fio/ },
  { settings: [{ isDirect: true }, { isDirect: false }], because: /page cache/ },
  { settings: [{ socket: true }, { socket: false }], because: /Unix socket/ },
])('figures of different things are not compared: $because', ({ settings: [one = {}, other = {}], because }) => {
  const of = (settings: MachineCard['facts']) => cardWith(figureOf('disk.read.depth1', [1, 1, 1], { settings }));
  expect(compareCards(of(one), of(other)).figures[0]).toMatchObject({
    faster: 'not comparable',
    because: expect.stringMatching(because),
  });
});

test('more threads, or a larger block, are what a larger machine has, and no reason not to compare', () => {
  const of = (settings: MachineCard['facts']) => cardWith(figureOf('cpu.all_threads', [1, 1, 1], { settings }));
  expect(compareCards(of({ threads: 4 }), of({ threads: 64 })).figures[0]?.faster).toBe('undecided');
});

test('tells what only one of them has, how the machines differ, and what the reader must know', () => {
  const comparison = compareCards(board, server);
  expect(comparison.onlyInOne).toEqual(['disk.read.depth4', 'network.round_trip_p50']);
  expect(comparison.onlyInOther).toEqual(['disk.read.depth32']);
  expect(comparison.facts.differing.map(({ name }) => name)).toContain('cpu.model');
  expect(comparison.facts.expected.map(({ name }) => name)).toEqual(['bootId', 'directory.path', 'hostname']);
  expect(comparison.notes.join('\n')).toMatch(/Node is 20\.20\.2 in A and 22\.11\.0 in B/);
  expect(comparison.notes.join('\n')).toMatch(/Not to be trusted in A.*cpu\.all_threads/);
});

test('a card laid beside itself differs in nothing', () => {
  const { figures, facts, onlyInOne, onlyInOther } = compareCards(board, board);
  expect(new Set(figures.map(({ faster }) => faster))).toEqual(new Set(['undecided']));
  expect([onlyInOne, onlyInOther, facts.differing]).toEqual([[], [], []]);
  expect(facts.alike).toBe(Object.keys(board.facts).length);
});
