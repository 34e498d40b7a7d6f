/** Pages of exporters, and what the one of a node says of a host. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { factsOfMetrics, sampleOfMetrics } from './node-exporter.ts';
import { parseMetrics } from './prometheus.ts';

describe('the text format', () => {
  test.each([
    { line: 'up 1', labels: {}, value: 1 },
    { line: 'up{} 1', labels: {}, value: 1 },
    { line: 'up{a="b"} 1.5e+06', labels: { a: 'b' }, value: 1_500_000 },
    { line: 'up{a="b",c="d",} -2 1395066363000', labels: { a: 'b', c: 'd' }, value: -2 },
    { line: 'up{ a = "b" , c="d" }   3', labels: { a: 'b', c: 'd' }, value: 3 },
    { line: String.raw`up{a="x\"y\\z\nw"} 1`, labels: { a: 'x"y\\z\nw' }, value: 1 },
    { line: 'up{a="}{,="} 1', labels: { a: '}{,=' }, value: 1 },
    { line: 'up +Inf', labels: {}, value: Number.POSITIVE_INFINITY },
    { line: 'up NaN', labels: {}, value: Number.NaN },
  ])('$line', ({ line, labels, value }) => {
    expect(parseMetrics(line).get('up')).toEqual([{ labels, value }]);
  });

  test.each(['# HELP up x', 'up', 'up{a="b" 1', 'up{a=b} 1', 'up x', 'up 1 2 3', '1up 5', '<html>', 'up{a="b"}'])(
    '%s is left out',
    (line) => {
      expect(parseMetrics(`${line}\n`).size).toBe(0);
    },
  );

  test('a page that is cut off gives what it has', () => {
    const metrics = parseMetrics('a 1\nb 2\nc{d="e');
    expect([...metrics.keys()]).toEqual(['a', 'b']);
  });

  test('only what is asked for', () => {
    expect([...parseMetrics('node_a 1\ngo_b 2\n', (name) => name.startsWith('node_')).keys()]).toEqual(['node_a']);
  });

  test('any text is taken without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const samples of parseMetrics(text).values()) expect(samples.length).toBeGreaterThan(0);
      }),
    );
  });
});

const PAGE = `
node_cpu_seconds_total{cpu="1",mode="user"} 20
node_cpu_seconds_total{cpu="1",mode="idle"} 40
node_cpu_seconds_total{cpu="0",mode="user"} 10
node_cpu_seconds_total{cpu="0",mode="idle"} 30
node_cpu_seconds_total{cpu="0",mode="steal"} 2
node_cpu_seconds_total{cpu="0",mode="guest"} 99
node_disk_reads_completed_total{device="sda"} 100
node_disk_reads_completed_total{device="sda1"} 100
node_disk_reads_completed_total{device="dm-0"} 7
node_disk_read_bytes_total{device="sda"} 4096
node_disk_read_time_seconds_total{device="sda"} 0.25
node_disk_writes_completed_total{device="sda"} 200
node_disk_written_bytes_total{device="sda"} 8192
node_disk_write_time_seconds_total{device="sda"} 1370.4270000000001
node_disk_io_now{device="sda"} 3
node_disk_io_time_seconds_total{device="sda"} 5
node_disk_io_time_weighted_seconds_total{device="sda"} 6
node_disk_flush_requests_total{device="sda"} 50
node_disk_flush_requests_time_seconds_total{device="sda"} 0.5
node_disk_info{device="sda",major="8",minor="0",model="Samsung SSD"} 1
node_disk_device_mapper_info{device="dm-0",name="vg-data",uuid=""} 1
node_memory_MemTotal_bytes 8e+09
node_memory_MemAvailable_bytes 5e+09
node_memory_Dirty_bytes 1000
node_memory_SwapTotal_bytes 0
node_memory_SwapFree_bytes 0
node_vmstat_pswpin 1
node_vmstat_pswpout 2
node_pressure_cpu_waiting_seconds_total 1.5
node_pressure_io_waiting_seconds_total 2.5
node_pressure_io_stalled_seconds_total 0.5
node_network_receive_bytes_total{device="eth0"} 1000
node_network_transmit_bytes_total{device="eth0"} 2000
node_network_receive_packets_total{device="eth0"} 10
node_network_transmit_packets_total{device="eth0"} 20
node_network_receive_drop_total{device="eth0"} 1
node_network_transmit_drop_total{device="eth0"} 2
node_network_speed_bytes{device="eth0"} 1.25e+08
node_network_receive_bytes_total{device="wlan0"} 5
node_network_speed_bytes{device="wlan0"} -125000
node_netstat_Tcp_OutSegs 1000
node_netstat_Tcp_RetransSegs 5
node_netstat_TcpExt_ListenDrops 0
node_context_switches_total 12345
node_cpu_scaling_frequency_hertz{cpu="0"} 1e+09
node_cpu_scaling_frequency_hertz{cpu="1"} 3e+09
node_cpu_scaling_frequency_max_hertz{cpu="0"} 4e+09
node_thermal_zone_temp{type="cpu",zone="0"} 48.5
node_thermal_zone_temp{type="gpu-thermal",zone="1"} 61
node_hwmon_chip_names{chip="platform_coretemp_0",chip_name="coretemp"} 1
node_hwmon_chip_names{chip="nvme_nvme0",chip_name="nvme"} 1
node_hwmon_temp_celsius{chip="platform_coretemp_0",sensor="temp1"} 52.5
node_hwmon_temp_celsius{chip="nvme_nvme0",sensor="temp1"} 79
node_uname_info{machine="aarch64",nodename="db1",release="6.8.0-1004-raspi",sysname="Linux"} 1
node_dmi_info{system_vendor="Amazon EC2",product_name="r5.8xlarge"} 1
node_os_info{pretty_name="Ubuntu 24.04 LTS"} 1
node_time_clocksource_current_info{clocksource="arch_sys_counter",device="0"} 1
node_filesystem_size_bytes{device="/dev/sda1",fstype="ext4",mountpoint="/"} 1
node_filesystem_size_bytes{device="/dev/mapper/vg-data",fstype="xfs",mountpoint="/var/lib/mysql"} 1
`;

describe('a node', () => {
  test('as a sample', () => {
    expect(sampleOfMetrics(parseMetrics(PAGE))).toEqual({
      cpu: { user: 30, nice: 0, system: 0, idle: 70, iowait: 0, irq: 0, softirq: 0, steal: 2 },
      cores: [
        { user: 10, nice: 0, system: 0, idle: 30, iowait: 0, irq: 0, softirq: 0, steal: 2 },
        { user: 20, nice: 0, system: 0, idle: 40, iowait: 0, irq: 0, softirq: 0, steal: 0 },
      ],
      disks: {
        sda: {
          reads: 100,
          readBytes: 4096,
          readMs: 250,
          writes: 200,
          writtenBytes: 8192,
          writeMs: 1_370_427,
          inFlight: 3,
          busyMs: 5_000,
          weightedMs: 6_000,
          flushes: 50,
          flushMs: 500,
        },
        'dm-0': expect.objectContaining({ reads: 7, writes: 0 }),
      },
      memory: { totalBytes: 8e9, availableBytes: 5e9, dirtyBytes: 1000, swapTotalBytes: 0, swapFreeBytes: 0 },
      swappedInPages: 1,
      swappedOutPages: 2,
      pressure: { cpuSomeUs: 1_500_000, ioSomeUs: 2_500_000, ioFullUs: 500_000 },
      networks: {
        eth0: {
          receivedBytes: 1000,
          sentBytes: 2000,
          receivedPackets: 10,
          sentPackets: 20,
          dropped: 3,
          speedBitsPerS: 1e9,
        },
        wlan0: { receivedBytes: 5, sentBytes: 0, receivedPackets: 0, sentPackets: 0, dropped: 0 },
      },
      tcp: { segmentsSent: 1000, segmentsRetransmitted: 5, listenDrops: 0 },
      contextSwitches: 12_345,
      frequencyMhz: 2_000,
      frequencyMaxMhz: 4_000,
      temperatureC: 52.5,
    });
  });

  test('as facts, the disk of the data directory found through its volume', () => {
    expect(factsOfMetrics(parseMetrics(PAGE), '/var/lib/mysql/data')).toMatchObject({
      hostname: 'db1',
      distribution: 'Ubuntu 24.04 LTS',
      'kernel.release': '6.8.0-1004-raspi',
      architecture: 'aarch64',
      'cpu.threads': 2,
      'virtualization.hypervisor': 'amazon',
      'dmi.product': 'r5.8xlarge',
      'clock.source': 'arch_sys_counter',
      'datadir.filesystem': 'xfs',
      'disk.name': 'dm-0',
    });
    expect(factsOfMetrics(parseMetrics(PAGE), '/srv')).toMatchObject({
      'disk.name': 'sda',
      'disk.model': 'Samsung SSD',
    });
  });

  test('a page without them gives nothing', () => {
    expect(sampleOfMetrics(parseMetrics('node_load1 0.5\n'))).toEqual({});
    expect(factsOfMetrics(parseMetrics('node_load1 0.5\n'), '/var/lib/mysql')).toEqual({});
  });
});
