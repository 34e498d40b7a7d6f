/**
 * In which order an experiment runs. Each block has every variant once, so what drifts slowly meets all of them alike;
 * over a few blocks every variant takes every place equally often, and follows every other, so what a place or a
 * neighbour is worth cancels out. Which of those orders it is, the seed draws.
 */
import { createRandom, deriveSeed, type Random } from '../../base/random.ts';
import type { ExperimentPlan, PlannedRun } from '../../model/experiment.ts';

/** Short enough to be read out and typed again; 0 would mean one that is drawn. */
const RUN_SEEDS = 1_000_000_000;

/** The same plan gives the same runs. */
export function schedule({ variants, blocks, seed }: ExperimentPlan): PlannedRun[] {
  const names = variants.map(({ name }) => name);
  const orders = ordersOf(names.length, blocks, createRandom(deriveSeed(seed, 'order')));
  return orders.flatMap((order, blockIndex) => {
    const block = blockIndex + 1;
    // All variants of a block do the same work: what is left of chance is not in the difference.
    const runSeed = (deriveSeed(seed, 'block', block) % RUN_SEEDS) + 1;
    return order.map((variantIndex, place) => ({
      number: blockIndex * names.length + place + 1,
      block,
      variant: names[variantIndex] ?? '',
      seed: runSeed,
    }));
  });
}

/** One order of 0 … variants - 1 for each block. */
function ordersOf(variants: number, blocks: number, random: Random): number[][] {
  const orders: number[][] = [];
  while (orders.length < blocks) orders.push(...balancedOrders(variants, random));
  return orders.slice(0, blocks);
}

/**
 * Twice as many orders as variants. In each half, every variant stands in every place once. With two variants that is
 * AB, BA, BA, AB, in which a drift cancels out even where it gets faster.
 */
function balancedOrders(variants: number, random: Random): number[][] {
  const names = shuffled(variants, random);
  const rows = shuffled(variants, random).map((shift) => williamsRow(variants, shift).map((at) => names[at] ?? 0));
  // With an even number, one half has every neighbourhood once; with an odd one, it takes both.
  const mirrored = variants % 2 === 0 ? rows.toReversed() : rows.map((row) => row.toReversed());
  return [...rows, ...mirrored];
}

/** E. J. Williams, 1949: 0, 1, k-1, 2, k-2, … and what comes of it by adding 1 modulo k. */
function williamsRow(size: number, shift: number): number[] {
  return Array.from({ length: size }, (_, place) => {
    const zigzag = place % 2 === 1 ? (place + 1) / 2 : size - place / 2;
    return (zigzag + shift) % size;
  });
}

function shuffled(size: number, random: Random): number[] {
  const numbers = Array.from({ length: size }, (_, index) => index);
  for (let last = size - 1; last > 0; last--) {
    const drawn = random.integer(0, last);
    const swapped = numbers[drawn] ?? 0;
    numbers[drawn] = numbers[last] ?? 0;
    numbers[last] = swapped;
  }
  return numbers;
}
