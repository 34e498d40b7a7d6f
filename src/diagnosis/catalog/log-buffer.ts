/** Sessions wait for room in the log buffer. */
import { figure, type Rule } from '../verdict.ts';

const logBuffer: Rule = ({ evidence }) => {
  const waits = evidence.measured('redo_log', 'waits_per_s') ?? 0;
  if (waits <= 0) return undefined;
  return {
    role: 'contributes',
    is: 'The log buffer is too small.',
    evidence: [`sessions waited for room in it ${figure(waits)} times a second`],
    confirmBy: 'With twice the innodb_log_buffer_size the waits go.',
    advice: 'Raise innodb_log_buffer_size to twice what the largest transaction writes.',
  };
};

export default logBuffer;
