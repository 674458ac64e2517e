// Randomised response that waits for a tenth of a millisecond an output, a hundred at a time, and uses no processor meanwhile.
const memory = new Int32Array(new SharedArrayBuffer(4));
let calls = 0;

export default function slowResponse([bit], source) {
  if (++calls % 100 === 0) Atomics.wait(memory, 0, 0, 10);
  return source.uniform() < 0.73 ? bit : 1 - bit;
}
