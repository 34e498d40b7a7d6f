/** The server is kept busy with connecting. */
import type { Verdict } from '../../model/judgement.ts';
import { figure, percent, type Rule } from '../verdict.ts';

const OF_QUESTIONS_MIN = 0.05;
const PER_S_MIN = 50;
/** Connecting that only a handful of statements pay for. */
const PER_S_NOTABLE = 5;
/** Of the sessions' time: less, and it costs without setting the pace. */
const SHARE_MIN = 0.2;

const connectionStorm: Rule = ({ evidence, shares }) => {
  const perS = evidence.measured('server_work', 'connections_per_s') ?? 0;
  const questions = evidence.measured('server_work', 'questions_per_s') ?? 0;
  const share = questions > 0 ? perS / questions : 0;
  const overflows = evidence.measured('network', 'listen_overflows_per_s') ?? 0;
  const refused = evidence.measured('server_work', 'connection_errors_max_per_s') ?? 0;
  const isStorm = perS >= PER_S_MIN || (perS >= PER_S_NOTABLE && share >= OF_QUESTIONS_MIN);
  if (!isStorm && overflows === 0 && refused === 0) return undefined;
  const connecting = shares.connecting ?? 0;
  return {
    role: roleOf(isStorm, connecting),
    is: isStorm
      ? 'A storm of connections: the server is busy with letting clients in.'
      : 'Connections were turned away.',
    ...(connecting > 0 ? { share: connecting } : {}),
    evidence: [
      ...(share > 0 ? [`${figure(perS)} connections a second, one for every ${figure(1 / share)} statements`] : []),
      ...(overflows > 0 ? [`${figure(overflows)} a second found the queue of the listening socket full`] : []),
      ...(refused > 0 ? [`${figure(refused)} a second were refused: max_connections is reached`] : []),
      ...(share > 0 ? [`that is ${percent(share)} of what the server was asked`] : []),
      ...(connecting > 0 ? [`sessions spent ${percent(connecting)} of their time connecting`] : []),
    ],
    confirmBy: 'With connections that stay open the rate rises.',
    advice: 'Keep connections open (a pool), raise thread_cache_size and back_log; here: leave out --reconnect.',
  };
};

function roleOf(isStorm: boolean, connecting: number): Verdict['role'] {
  if (!isStorm) return 'alarm';
  return connecting >= SHARE_MIN ? 'bottleneck' : 'contributes';
}

export default connectionStorm;
