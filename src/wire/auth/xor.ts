/** `bytes` with every byte combined with the mask's, which is repeated as needed. */
export function xor(bytes: Uint8Array, mask: Uint8Array): Buffer {
  const result = Buffer.from(bytes);
  for (let index = 0; index < result.length; index++) result[index]! ^= mask[index % mask.length]!;
  return result;
}
