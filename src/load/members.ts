/** What the foreman knows of each worker: its sessions, how far it is, and what it has told last. */
import { type CrewHooks, type CrewMember, hireWorker } from './crew.ts';
import type { ClientState } from './messages.ts';
import { hasDueTimes, type LoadPlan, type SentCounts } from './plan.ts';
import { addSent, nothingSent } from './sent.ts';
import type { LoadWorld } from './world.ts';

export interface Member {
  readonly crew: CrewMember;
  readonly sessions: readonly number[];
  connected: number;
  ready: number;
  isReady: boolean;
  isEnded: boolean;
  isClosed: boolean;
  isDead: boolean;
  sent: SentCounts;
  client: ClientState;
  lastDoneMs: number;
}

export class Members {
  readonly all: Member[] = [];
  readonly #plan: LoadPlan;
  readonly #tickets: SharedArrayBuffer;
  readonly #world: LoadWorld | undefined;

  /** With a `world` given, all workers share this thread. */
  constructor(plan: LoadPlan, tickets: SharedArrayBuffer, world: LoadWorld | undefined) {
    this.#plan = plan;
    this.#tickets = tickets;
    this.#world = world;
  }

  /** Each begins to connect its sessions. */
  hire(hooks: CrewHooks): void {
    const plan = this.#plan;
    for (let worker = 0; worker < plan.workers; worker++) {
      const crew = hireWorker(worker, hooks, this.#world);
      const sessions = sessionsOfWorker(plan, worker);
      this.all.push({
        crew,
        sessions,
        connected: 0,
        ready: 0,
        isReady: false,
        isEnded: false,
        isClosed: false,
        isDead: false,
        sent: nothingSent(),
        client: { eventLoopUtilization: 0, eventLoopDelayP99Ms: 0 },
        lastDoneMs: Number.NEGATIVE_INFINITY,
      });
      crew.assign({ is: 'connect', plan, worker, sessions, tickets: this.#tickets }, hasDueTimes(plan));
    }
  }

  post(order: 'stop' | 'cut' | 'close'): void {
    for (const { crew, isDead } of this.all) if (!isDead) crew.post({ is: order });
  }

  get connected(): number {
    return this.all.reduce((sum, { connected }) => sum + connected, 0);
  }

  get ready(): number {
    return this.all.reduce((sum, { ready }) => sum + ready, 0);
  }

  get sent(): SentCounts {
    return this.all.map(({ sent }) => sent).reduce(addSent, nothingSent());
  }
}

/** Sessions are dealt in turn, so that workers differ by one at most. */
export function sessionsOfWorker({ threads, workers }: LoadPlan, worker: number): readonly number[] {
  return Array.from({ length: threads }, (_, session) => session).filter((session) => session % workers === worker);
}
