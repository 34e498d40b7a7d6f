import { expect, test } from 'vitest';
import { isProcessorSensor, isProcessorZone } from './temperatures.ts';

test.each([
  { type: 'x86_pkg_temp', is: true, of: 'an Intel processor' },
  { type: 'acpitz', is: true, of: 'a PC by its ACPI tables' },
  { type: 'cpu-thermal', is: true, of: 'a Raspberry Pi' },
  { type: 'soc-thermal', is: true, of: 'a Rockchip board' },
  { type: 'bigcore0-thermal', is: true, of: 'another one' },
  { type: 'cpu-1-0-usr', is: true, of: 'a Snapdragon' },
  { type: 'TCPU', is: true, of: 'a laptop' },
  { type: '', is: true, of: 'one that says nothing' },
  { type: 'iwlwifi_1', is: false, of: 'a radio' },
  { type: 'pch_cannonlake', is: false, of: 'the chipset' },
  { type: 'gpu-thermal', is: false, of: 'the graphics' },
  { type: 'npu-thermal', is: false, of: 'another computer beside it' },
  { type: 'INT3400 Thermal', is: false, of: 'a policy, not a place' },
  { type: 'battery', is: false, of: 'a battery' },
  { type: 'nvme-composite', is: false, of: 'a disk' },
])('the zone "$type" is of $of: $is', ({ type, is }) => {
  expect(isProcessorZone(`${type}\n`)).toBe(is);
});

test.each([
  { name: 'coretemp\n', is: true },
  { name: 'k10temp', is: true },
  { name: 'cpu_thermal', is: true },
  { name: 'nvme', is: false },
  { name: 'iwlwifi_1', is: false },
  { name: 'rpi_volt', is: false },
])('the sensor "$name": $is', ({ name, is }) => {
  expect(isProcessorSensor(name)).toBe(is);
});
