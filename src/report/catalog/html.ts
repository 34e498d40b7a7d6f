/** One file for a browser: charts and tables that need neither a script nor the network. */
import { runsDocument } from '../html/run-page.ts';
import { defineReport } from '../report.ts';

export default defineReport({
  summary: 'HTML in one file for a browser: charts over time, latency, server and host, findings, how to run it again.',
  extension: 'html',
  render: ({ runs }) => runsDocument(runs),
});
