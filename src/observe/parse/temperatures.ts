/** Which of a host's temperatures are of its processors: others, such as a radio's or a disk's, may be far higher. */

/** Drivers of sensors that sit in a processor; others tell of disks and boards. */
const PROCESSOR_SENSORS = ['coretemp', 'k10temp', 'zenpower', 'cpu_thermal'];
/**
 * What a thermal zone is of stands in its type, for which there is no rule: `x86_pkg_temp`, `cpu-thermal`,
 * `soc-thermal`, `bigcore0-thermal`, `acpitz` are of processors, or of all together. These are certainly not.
 */
const OF_OTHERS = new RegExp(
  [
    'wifi|wlan|radio|modem|mdm|usb',
    'batt|charg|pmic|skin|ambient|INT34',
    'gpu|npu|vpu|video|display',
    'nvme|ssd|disk|emmc|sdcard',
    'ddr|mem|pch',
  ].join('|'),
  'i',
);

export function isProcessorSensor(name: string): boolean {
  return PROCESSOR_SENSORS.includes(name.trim());
}

/** True also where the type says nothing. */
export function isProcessorZone(type: string): boolean {
  return !OF_OTHERS.test(type);
}
