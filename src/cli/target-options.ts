/** Where the server is, and who we are to it. sysbench's names and defaults, and what it lacks. */
import { choice, flag, list, number, text } from '../base/options.ts';

/** `on`, or nothing at all, is REQUIRED: who asks for encryption must not get less. */
export const SSL_CHOICES = ['off', 'on', 'disabled', 'preferred', 'required', 'verify-ca', 'verify-identity'] as const;

/** `--mysql-password` without a value. No argument of a program can contain a NUL, so nobody's password is this. */
export const ASK_FOR_IT = '\u0000ask';

export const TARGET_OPTIONS = {
  mysql_host: list({
    default: ['localhost'],
    placeholder: 'HOST[,HOST...]',
    help: 'server; of several, connections take them in turn. localhost is the Unix socket, unless a port is given',
  }),
  mysql_port: list({
    default: ['3306'],
    placeholder: 'PORT[,PORT...]',
    help: 'TCP port; several are used in turn, on each host',
  }),
  mysql_socket: list({ default: [], placeholder: 'PATH[,PATH...]', help: 'Unix socket; goes before host and port' }),
  mysql_user: text({ default: 'sbtest', placeholder: 'USER', help: 'user' }),
  mysql_password: text({
    default: '',
    bare: ASK_FOR_IT,
    secret: true,
    placeholder: 'PASSWORD',
    help: 'password; without a value it is asked for. The process list may show it: MYSQL_PWD or a file is safer',
  }),
  mysql_password_file: text({ default: '', placeholder: 'FILE', help: 'the first line of FILE is the password' }),
  ask_password: flag({ default: false, help: 'ask for the password on the terminal' }),
  mysql_db: text({ default: 'sbtest', placeholder: 'NAME', help: 'database' }),
  create_database: flag({ default: false, help: 'create the database where it does not exist' }),
  url: text({
    default: '',
    secret: true,
    placeholder: 'URL',
    help: 'all in one: mysql://user@host:3306/db?ssl-mode=VERIFY_CA. A bare URL argument does the same',
  }),
  defaults_file: text({
    default: '',
    bare: '',
    placeholder: 'FILE',
    help: 'the target is what [client] of FILE says; without a value: of /etc/my.cnf, /etc/mysql/my.cnf and ~/.my.cnf',
  }),
  no_defaults: flag({
    default: false,
    help: 'do not look into these files for a user, password or place that the command line leaves open',
  }),
  server: text({
    default: 'default',
    placeholder: 'NAME',
    help: 'the private server that is used where no target is named; prepare starts it, and it stays',
  }),
  mysql_ssl: choice({
    default: 'off',
    bare: 'on',
    choices: SSL_CHOICES,
    aliases: ['ssl-mode'],
    placeholder: 'MODE',
    help: `encryption: ${SSL_CHOICES.join(', ')}`,
  }),
  mysql_ssl_ca: text({ default: '', placeholder: 'FILE', help: 'PEM of the authority that signed the server' }),
  mysql_ssl_cert: text({ default: '', placeholder: 'FILE', help: 'PEM of our certificate' }),
  mysql_ssl_key: text({ default: '', placeholder: 'FILE', help: 'PEM of our key' }),
  tls_version_min: choice({
    default: 'TLSv1.2',
    choices: ['TLSv1.2', 'TLSv1.3'],
    placeholder: 'VERSION',
    help: 'oldest TLS version that is accepted: TLSv1.2 or TLSv1.3',
  }),
  connect_timeout: number({ default: 10, min: 0.001, help: 'seconds for connecting, TLS and authentication' }),
  read_timeout: number({ default: 0, min: 0, help: 'seconds of silence after which a reply is given up; 0: none' }),
} as const;

/** Any of these says that a server is meant; without one, a private server is used. */
export const NAMES_A_TARGET: readonly (keyof typeof TARGET_OPTIONS)[] = [
  'mysql_host',
  'mysql_port',
  'mysql_socket',
  'mysql_user',
  'mysql_password',
  'mysql_password_file',
  'ask_password',
  'url',
  'defaults_file',
];
