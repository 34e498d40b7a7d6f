/** What is shown and kept. */
import { flag, list, text } from '../base/options.ts';

/** `--json` alone, or `--json=-`. */
export const TO_STDOUT = '-';

export const OUTPUT_OPTIONS = {
  json: text({
    default: '',
    bare: TO_STDOUT,
    placeholder: 'FILE',
    help: 'the result as JSON: to FILE, or alone on stdout (everything else then goes to stderr)',
  }),
  store: text({
    default: '',
    placeholder: 'DIR',
    help: 'where runs and private servers are kept; default: $SQLDYNO_STORE or ~/.local/share/sqldyno',
  }),
  tag: list({ default: [], placeholder: 'TAG[,TAG...]', help: 'words to find this run by' }),
  live: flag({ default: true, help: 'the live view on a terminal; --no-live prints plain lines there too' }),
  help: flag({ default: false, help: 'this text' }),
  config_file: text({ default: '', placeholder: 'FILE', help: 'more options, one key=value a line' }),
} as const;
