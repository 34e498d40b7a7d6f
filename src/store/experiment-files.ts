/** The files of one experiment's directory: its record, replaced as a whole, and its journal, which only grows. */
import { open, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { EXPERIMENT_FORMAT, type ExperimentRecord, type JournalEntry } from '../model/experiment.ts';

export const EXPERIMENT_FILE = 'experiment.json';
export const JOURNAL_FILE = 'journal.ndjson';

export function experimentText(record: ExperimentRecord): string {
  return `${JSON.stringify(record, null, 1)}\n`;
}

export async function readExperiment(directory: string): Promise<ExperimentRecord> {
  const record = JSON.parse(await readText(join(directory, EXPERIMENT_FILE))) as ExperimentRecord | null;
  if (record?.format === EXPERIMENT_FORMAT) return record;
  throw new Error(`its format is ${JSON.stringify(record?.format)}, and this version reads ${EXPERIMENT_FORMAT}`);
}

/** A last line without its end was being written when the program or the machine died: it was never promised. */
export async function readJournal(directory: string): Promise<JournalEntry[]> {
  const text = await readText(join(directory, JOURNAL_FILE));
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .slice(0, -1)
    .map((line, index) => {
      try {
        return JSON.parse(line) as JournalEntry;
      } catch {
        throw new Error(`line ${index + 1} of ${JOURNAL_FILE} is broken`);
      }
    });
}

/** On the disk when it resolves, and alone in its line, whatever a crash has left behind the last one. */
export async function appendLine(path: string, entry: JournalEntry): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const bytes = await file.readFile();
    const end = bytes.lastIndexOf('\n') + 1;
    if (end < bytes.length) await file.truncate(end);
    await file.write(`${JSON.stringify(entry)}\n`, end);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new Error(`it has no ${basename(path)}`);
    throw error;
  }
}
