/** Limits of the systems that many connections run into: files, processes, ports, and the queue of a listener. */
import { formatCount } from '../../base/units.ts';
import type { Remedy } from '../../model/checkup.ts';
import {
  type Case,
  defineChecks,
  info,
  numberIn,
  numberOf,
  type Opinion,
  ok,
  textOf,
  unseen,
  warning,
} from '../check.ts';
import type { HostLook, PlanFacts } from '../collected.ts';

/** Threads of the server's own, and files that are neither tables nor connections. */
const SPARE = 100;
/** A port is free again a minute after its connection was closed. */
const TIME_WAIT_S = 60;
const PORTS_SHARE_MAX = 0.8;
const NO_PLAN = 'No load was named, so how many connections there will be is not known.';

export default defineChecks([
  {
    number: 10,
    id: 'process-limits',
    title: 'limits of the processes',
    of: 'each host',
    examine: (host, it) => {
      const client = clientLimits(host, it.plan);
      const { server: examined, serverHost } = it.collected;
      const isServers = examined.is === 'seen' && serverHost.is === 'seen' && serverHost.value === host;
      if (!isServers) return client ?? unseen('The limits of this process are not told.');
      const server = serverLimits(host, it);
      return server.level === 'warning' || client?.level !== 'warning' ? server : client;
    },
  },
  {
    number: 11,
    id: 'local-ports',
    title: 'ports for connections',
    of: 'client host',
    examine: (host, { plan, collected }) => {
      const range = /^(\d+)-(\d+)$/.exec(textOf(host, 'network.localPorts') ?? '');
      if (range === null) return unseen('The host does not tell which ports its connections take.');
      if (collected.server.is === 'seen' && !collected.server.value.isOverTcp) {
        return ok('Connections go through a Unix socket, and take no ports.');
      }
      const ports = Number(range[2]) - Number(range[1]) + 1;
      return examinePorts(host, plan, ports);
    },
  },
  {
    number: 12,
    id: 'listen-backlog',
    title: 'queue of new connections',
    of: 'server',
    examine: (server, { plan, collected }) => {
      if (plan === undefined) return unseen(NO_PLAN);
      const backLog = numberIn(server.variables, 'back_log');
      const { serverHost } = collected;
      const somaxconn = serverHost.is === 'seen' ? numberOf(serverHost.value, 'network.somaxconn') : undefined;
      const known = [backLog, somaxconn].filter((each) => each !== undefined);
      if (known.length === 0) return unseen('Neither back_log nor net.core.somaxconn is told.');
      const length = Math.min(...known);
      const queue = `back_log ${backLog ?? 'unknown'}, net.core.somaxconn ${somaxconn ?? 'unknown'}`;
      if (plan.threads <= length) return ok(`New connections may queue: ${queue}.`);
      const wanted = Math.ceil(plan.threads * 1.1);
      return warning(
        `${formatCount(plan.threads)} connections may come at once, and ${formatCount(length)} can queue.`,
        {
          because: `What finds the queue full tries again after a second (${queue}).`,
          remedy: queueRemedy(
            { backLog: (backLog ?? 0) < plan.threads, somaxconn: (somaxconn ?? wanted) < plan.threads },
            wanted,
          ),
        },
      );
    },
  },
]);

/** Of what is too low; the server reads both only when it starts. */
function queueRemedy(isLow: { readonly backLog: boolean; readonly somaxconn: boolean }, wanted: number): Remedy {
  const option = `Set back_log = ${wanted} in the server's option file`;
  if (!isLow.somaxconn) return { is: `${option}, and restart it.` };
  const shell = [`sudo sysctl net.core.somaxconn=${wanted}`];
  if (!isLow.backLog) return { is: "Raise it on the server's host, then restart the server:", shell };
  return { is: `${option}, then restart it, behind this on its host:`, shell };
}

function serverLimits(host: HostLook, { plan, collected }: Case): Opinion {
  const files = numberOf(host, 'server.openFilesMax');
  const processes = numberOf(host, 'server.processesMax');
  if (textOf(host, 'server.openFilesMax') === 'unlimited') return ok('The server may open any number of files.');
  if (files === undefined) {
    return unseen("The server's process, or its limits, cannot be seen: it is another user's, or in a container.");
  }
  const variables = collected.server.is === 'seen' ? collected.server.value.variables : new Map<string, string>();
  const connections = plan?.threads ?? numberIn(variables, 'max_connections') ?? 0;
  const tables = plan?.tables.length ?? numberIn(variables, 'table_open_cache') ?? 0;
  const wanted = 2 * (connections + tables);
  const remedy = (count: number, option: string) => ({
    is: `Raise it for the server's service (or with ulimit before it is started), then restart it: ${option}=${count}`,
  });
  if (files < wanted) {
    return warning(
      `The server may open ${formatCount(files)} files, and twice what it needs is ${formatCount(wanted)}.`,
      {
        because: `${formatCount(connections)} connections and ${formatCount(tables)} tables; where files run out, tables are closed and opened all the time.`,
        remedy: remedy(wanted, 'LimitNOFILE'),
      },
    );
  }
  if (processes !== undefined && processes < connections + SPARE) {
    return warning(
      `The server's user may have ${formatCount(processes)} threads, for ${formatCount(connections)} connections.`,
      {
        because: 'Each connection has a thread of its own.',
        remedy: remedy(connections + 10 * SPARE, 'LimitNPROC'),
      },
    );
  }
  return ok(
    `The server may open ${formatCount(files)} files, for ${formatCount(connections)} connections and ${formatCount(tables)} tables.`,
  );
}

/** Undefined where nothing is known of it. */
function clientLimits({ client }: HostLook, plan: PlanFacts | undefined): Opinion | undefined {
  const files = client?.openFilesMax;
  if (files === undefined) return undefined;
  const wanted = (plan?.threads ?? 0) + SPARE;
  if (files >= wanted) return ok(`This program may open ${formatCount(files)} files.`);
  return warning(`This program may open ${formatCount(files)} files, and ${formatCount(wanted)} are needed.`, {
    because: 'Each connection is an open file.',
    remedy: { is: 'In the shell that starts it:', shell: [`ulimit -n ${wanted}`] },
  });
}

function examinePorts(host: HostLook, plan: PlanFacts | undefined, ports: number): Opinion {
  const reuse = numberOf(host, 'network.tcpTwReuse') === 1;
  const waiting = host.client?.timeWaitSockets;
  const perSMax = (PORTS_SHARE_MAX * ports) / TIME_WAIT_S;
  const reconnects = plan !== undefined && plan.reconnectEveryEvents > 0;
  const perS = reconnects && plan.ratePerS > 0 ? plan.ratePerS / plan.reconnectEveryEvents : undefined;
  const remedy = {
    is: 'Let ports be used again, and take more of them, until the next start:',
    shell: ['sudo sysctl net.ipv4.tcp_tw_reuse=1', 'sudo sysctl net.ipv4.ip_local_port_range="1024 65535"'],
  };
  if ((plan?.threads ?? 0) > PORTS_SHARE_MAX * ports) {
    return warning(
      `${formatCount(plan?.threads ?? 0)} connections need a port each, and there are ${formatCount(ports)}.`,
      {
        because: 'Other programs take some of them.',
        remedy,
      },
    );
  }
  if (perS !== undefined && perS > perSMax && !reuse) {
    return warning(`${formatCount(perS)} new connections a second are more than the ports last for.`, {
      because: `Each keeps its port for ${TIME_WAIT_S} s: with ${formatCount(ports)} ports, ${formatCount(perSMax)} a second are safe.`,
      remedy,
    });
  }
  if (waiting !== undefined && waiting > PORTS_SHARE_MAX * ports) {
    return warning(`${formatCount(waiting)} of ${formatCount(ports)} ports still wait for connections that are over.`, {
      because: 'New connections may find none.',
      remedy: { ...remedy, is: `Wait for ${TIME_WAIT_S} s, or: ${remedy.is}` },
    });
  }
  if (reconnects && perS === undefined && !reuse) {
    return info(
      `The ports last for ${formatCount(perSMax)} new connections a second, and this load makes new ones all the time.`,
      {
        because: `Each keeps its port for ${TIME_WAIT_S} s.`,
        remedy,
      },
    );
  }
  return ok(`There are ${formatCount(ports)} ports for connections.`);
}
