/** The record itself, for programs. Its schema is schema/run.schema.json. */
import { defineReport } from '../report.ts';

export default defineReport({
  summary: 'JSON for programs: the record as stored; one run is an object, several are an array.',
  extension: 'json',
  render: ({ runs }) => `${JSON.stringify(runs.length === 1 ? runs[0] : runs, null, 2)}\n`,
});
