/** What `--help` says around the list of named commands. */

export const HELP_BEFORE =
  'sqldyno loads a MySQL-family server, and tells how fast it is in figures that can be checked.\n';

export const HELP_AFTER = `
Workloads take sysbench's own command lines, options before or after the name:
  sqldyno WORKLOAD prepare         make the tables and fill them
  sqldyno WORKLOAD run             apply the load, and report
  sqldyno WORKLOAD cleanup         drop the tables
  sqldyno WORKLOAD prewarm|check   read the data into memory | see whether a run could start
  sqldyno WORKLOAD help            all options, with their defaults

Tests of the machine itself, without a database, also with sysbench's command lines:
  sqldyno HOST-TEST run            HOST-TEST: cpu, memory, threads, mutex, fileio (with the wait of durable commits)
  sqldyno HOST-TEST help           all options, with their defaults

Without a target option, a private server is started by prepare and stays until: sqldyno server stop

Examples:
  sqldyno quickstart
  sqldyno oltp_read_write --tables=4 --table-size=100000 prepare
  sqldyno oltp_read_write --tables=4 --table-size=100000 --threads=16 --time=60 run
  sqldyno oltp_read_only --mysql-host=db1 --mysql-user=ben --ask-password --threads=8 run
  sqldyno mysql://ben@db1/shop?ssl-mode=REQUIRED oltp_point_select --json=result.json run

Exit codes:
  0 done   1 usage   2 target unreachable or refused   3 run failed or not valid
  4 check failed   99 gate not met
  130 interrupted (Ctrl-C once: stop in good order; twice: at once; the run is kept)

Passwords: MYSQL_PWD, --mysql-password-file=FILE or --ask-password; on the command line others may see them.`;
