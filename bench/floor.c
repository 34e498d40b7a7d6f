/*
 * The floor: the least that a client can cost. One thread, epoll, pre-encoded COM_STMT_EXECUTE packets, no decoding beyond
 * packet headers, no timing, no counting by name. Speaks just enough of the protocol to log in without a password.
 *
 *   cc -O2 -o floor floor.c && ./floor SOCKET USER CONNECTIONS SECONDS TABLES ROWS
 *
 * Prints: statements/s and client CPU microseconds per statement.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER_BYTES = 65536, TABLES_MAX = 16, EVENTS_MAX = 1024 };

static void fail(const char *what) {
  fprintf(stderr, "floor: %s: %s\n", what, strerror(errno));
  exit(1);
}

static double monotonic_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

static double cpu_us(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

static void read_exactly(int fd, uint8_t *into, size_t bytes) {
  while (bytes > 0) {
    ssize_t got = recv(fd, into, bytes, 0);
    if (got <= 0) fail("the server closed the connection");
    into += got;
    bytes -= (size_t)got;
  }
}

static size_t read_packet(int fd, uint8_t *payload) {
  uint8_t header[4];
  read_exactly(fd, header, 4);
  size_t length = header[0] | header[1] << 8 | (size_t)header[2] << 16;
  if (length > BUFFER_BYTES) fail("packet too long");
  read_exactly(fd, payload, length);
  if (length > 0 && payload[0] == 0xff) {
    fprintf(stderr, "floor: the server answered: %.*s\n", (int)length - 3, payload + 3);
    exit(1);
  }
  return length;
}

static void send_packet(int fd, const uint8_t *payload, size_t length, uint8_t sequence) {
  uint8_t packet[512];
  packet[0] = length & 255;
  packet[1] = length >> 8 & 255;
  packet[2] = length >> 16 & 255;
  packet[3] = sequence;
  memcpy(packet + 4, payload, length);
  if (send(fd, packet, length + 4, 0) != (ssize_t)length + 4) fail("send");
}

/* LONG_PASSWORD | LONG_FLAG | CONNECT_WITH_DB | PROTOCOL_41 | SECURE_CONNECTION | PLUGIN_AUTH | DEPRECATE_EOF */
static const uint32_t CAPABILITIES = 0x1 | 0x4 | 0x8 | 0x200 | 0x8000 | 0x80000 | 0x1000000;

static int log_in(const char *socket_path, const char *user) {
  static uint8_t payload[BUFFER_BYTES];
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, socket_path, sizeof address.sun_path - 1);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address)) fail(socket_path);
  read_packet(fd, payload);
  uint8_t reply[256] = {0};
  size_t at = 32;
  memcpy(reply, &CAPABILITIES, 4);
  reply[7] = 1; /* largest packet: 16 MiB */
  reply[8] = 45; /* utf8mb4_general_ci */
  at += (size_t)sprintf((char *)reply + at, "%s", user) + 1;
  reply[at++] = 0; /* no password */
  at += (size_t)sprintf((char *)reply + at, "sbtest") + 1;
  at += (size_t)sprintf((char *)reply + at, "mysql_native_password") + 1;
  send_packet(fd, reply, at, 1);
  read_packet(fd, payload);
  if (payload[0] == 0xfe) { /* asked for another plug-in: an empty answer is "no password" for the native one */
    send_packet(fd, payload, 0, 3);
    read_packet(fd, payload);
  }
  return fd;
}

static uint32_t prepare(int fd, int table) {
  static uint8_t payload[BUFFER_BYTES];
  uint8_t query[128];
  int length = sprintf((char *)query, "\x16SELECT c FROM sbtest%d WHERE id=?", table);
  send_packet(fd, query, (size_t)length, 0);
  read_packet(fd, payload);
  uint32_t id;
  memcpy(&id, payload + 1, 4);
  int definitions = (payload[5] | payload[6] << 8) + (payload[7] | payload[8] << 8);
  while (definitions-- > 0) read_packet(fd, payload);
  return id;
}

static uint8_t request[22] = {18, 0, 0, 0, 0x17, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 3, 0};
static uint32_t (*statements)[TABLES_MAX];
static int tables, rows;

static void ask(int fd, int connection) {
  uint32_t key = 1 + (uint32_t)(rand() % rows);
  memcpy(request + 5, &statements[connection][rand() % tables], 4);
  memcpy(request + 18, &key, 4);
  if (send(fd, request, sizeof request, 0) != sizeof request) fail("send");
}

int main(int count, char **arguments) {
  if (count != 7) {
    fprintf(stderr, "usage: floor SOCKET USER CONNECTIONS SECONDS TABLES ROWS\n");
    return 1;
  }
  int connections = atoi(arguments[3]);
  double seconds = atof(arguments[4]);
  tables = atoi(arguments[5]);
  rows = atoi(arguments[6]);
  if (connections < 1 || tables < 1 || tables > TABLES_MAX || rows < 1) return 1;
  int *fds = calloc((size_t)connections, sizeof *fds);
  statements = calloc((size_t)connections, sizeof *statements);
  int poll = epoll_create1(0);
  for (int i = 0; i < connections; i++) {
    fds[i] = log_in(arguments[1], arguments[2]);
    for (int table = 0; table < tables; table++) statements[i][table] = prepare(fds[i], table + 1);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)i};
    epoll_ctl(poll, EPOLL_CTL_ADD, fds[i], &event);
  }
  static struct epoll_event ready[EVENTS_MAX];
  static uint8_t buffer[BUFFER_BYTES];
  double cpu_before = cpu_us(), begin = monotonic_s();
  long done = 0;
  for (int i = 0; i < connections; i++) ask(fds[i], i);
  while (monotonic_s() - begin < seconds) {
    int events = epoll_wait(poll, ready, EVENTS_MAX, 100);
    for (int e = 0; e < events; e++) {
      int i = (int)ready[e].data.u32;
      ssize_t got = recv(fds[i], buffer, sizeof buffer, 0);
      if (got <= 0) fail("the server closed the connection");
      for (ssize_t at = 0; at + 4 <= got; at += 4 + (buffer[at] | buffer[at + 1] << 8 | buffer[at + 2] << 16))
        if (buffer[at + 4] == 0xff) fail("the server answered with an error");
      done++;
      ask(fds[i], i);
    }
  }
  double elapsed = monotonic_s() - begin;
  printf("%.0f statements/s, client CPU %.2f us per statement\n", (double)done / elapsed, (cpu_us() - cpu_before) / (double)done);
  return 0;
}
