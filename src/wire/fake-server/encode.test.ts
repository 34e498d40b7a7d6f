import { expect, test } from 'vitest';
import { PacketWriter } from '../bytes/writer.ts';
import { CAPABILITY, COLUMN_TYPE, SERVER_STATUS } from '../constants.ts';
import {
  authSwitchPayload,
  binaryRowPayload,
  columnPayload,
  eofPayload,
  errorPayload,
  framePayloads,
  localInfilePayload,
  okPayload,
  textRowPayload,
} from './encode.ts';
import { writeBinaryValue } from './encode-value.ts';
import { error, ok } from './reply.ts';

const form = {
  capabilities: CAPABILITY.PROTOCOL_41,
  isBinary: false,
  cachesMetadata: false,
  sendsColumns: true,
  status: SERVER_STATUS.AUTOCOMMIT,
};

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

test.each([
  {
    what: 'OK_Packet',
    packet: framePayloads([okPayload(ok(), form)], 2),
    bytes: '07000002 00000002000000',
  },
  {
    what: 'ERR_Packet',
    packet: framePayloads([errorPayload(error(1096, 'HY000', 'No tables used'), form.capabilities)], 1),
    bytes: '17000001 ff4804 23 4859303030 4e6f207461626c65732075736564',
  },
  {
    what: 'ERR_Packet before the capabilities are known',
    packet: framePayloads([errorPayload(error(1040, '08004', 'Too many connections'), 0)], 0),
    bytes: '17000000 ff1004 546f6f206d616e7920636f6e6e656374696f6e73',
  },
  { what: 'EOF_Packet', packet: framePayloads([eofPayload(2, 0)], 5), bytes: '05000005 fe00000200' },
  {
    what: 'LOCAL INFILE Request',
    packet: framePayloads([localInfilePayload('/etc/passwd')], 1),
    bytes: '0c000001 fb2f6574632f706173737764',
  },
  {
    what: 'Protocol::AuthSwitchRequest',
    packet: framePayloads(
      [authSwitchPayload('mysql_native_password', Buffer.from('zQg4i6oNy6=rHN/>-b)A\0', 'latin1'))],
      2,
    ),
    bytes: '2c000002 fe6d7973716c5f6e61746976655f70617373776f726400 7a51673469366f4e79363d72484e2f3e2d62294100',
  },
  {
    what: 'ColumnDefinition41 of SELECT @@version',
    packet: framePayloads(
      [columnPayload({ name: '@@version', type: COLUMN_TYPE.VAR_STRING, charset: 8, length: 28, decimals: 31 })],
      2,
    ),
    bytes: '28000002 03646566 000000 09404076657273696f6e 09404076657273696f6e 0c 0800 1c000000 fd 0000 1f 0000',
  },
])("$what, as in the manual's example", ({ packet, bytes }) => {
  expect(hex(packet)).toBe(bytes.replaceAll(' ', ''));
});

test.each([
  { type: COLUMN_TYPE.LONGLONG, value: 1, bytes: '0100000000000000' },
  { type: COLUMN_TYPE.LONG, value: 1, bytes: '01000000' },
  { type: COLUMN_TYPE.SHORT, value: 1, bytes: '0100' },
  { type: COLUMN_TYPE.TINY, value: -1, bytes: 'ff' },
  { type: COLUMN_TYPE.DOUBLE, value: 10.2, bytes: '6666666666662440' },
  { type: COLUMN_TYPE.FLOAT, value: 10.2, bytes: '33332341' },
  { type: COLUMN_TYPE.DATE, value: '2010-10-17', bytes: '04da070a11' },
  { type: COLUMN_TYPE.DATETIME, value: '2010-10-17 19:27:30.000001', bytes: '0bda070a11131b1e01000000' },
  { type: COLUMN_TYPE.DATETIME, value: '2010-10-17 19:27:30', bytes: '07da070a11131b1e' },
  { type: COLUMN_TYPE.DATETIME, value: '2010-10-17 00:00:00', bytes: '04da070a11' },
  { type: COLUMN_TYPE.TIMESTAMP, value: '0000-00-00 00:00:00', bytes: '00' },
  { type: COLUMN_TYPE.TIME, value: '-2899:27:30.000001', bytes: '0c0178000000131b1e01000000' },
  { type: COLUMN_TYPE.TIME, value: '-2899:27:30', bytes: '080178000000131b1e' },
  { type: COLUMN_TYPE.TIME, value: '00:00:00', bytes: '00' },
  { type: COLUMN_TYPE.STRING, value: 'foo', bytes: '03666f6f' },
])('binary $value of type $type is $bytes, as in the manual', ({ type, value, bytes }) => {
  const writer = new PacketWriter();
  writeBinaryValue(writer, type, value);
  expect(hex(writer.payload())).toBe(bytes);
});

test('rows: NULL is one byte in a text row, and a bit of the bitmap in a binary one', () => {
  const columns = Array.from({ length: 9 }, (_, index) => ({ name: `c${index}`, type: COLUMN_TYPE.TINY }));
  const row = [1, null, 3, 4, 5, 6, 7, null, null];
  expect(hex(textRowPayload(row))).toBe('0131 fb 0133 0134 0135 0136 0137 fb fb'.replaceAll(' ', ''));
  // Column n is bit n + 2: 1 -> bit 3 of the first byte, 7 and 8 -> bits 1 and 2 of the second.
  expect(hex(binaryRowPayload(columns, row))).toBe('00 0806 01 03 04 05 06 07'.replaceAll(' ', ''));
});
