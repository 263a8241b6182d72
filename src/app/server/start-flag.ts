/** Memory that the threads of a process share: 1 once all of them have been up together. */
export type StartFlag = SharedArrayBuffer

export function newStartFlag(): StartFlag {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
}

export function raise(flag: StartFlag): void {
  Atomics.store(new Int32Array(flag), 0, 1)
}

export function isRaised(flag: StartFlag): boolean {
  return Atomics.load(new Int32Array(flag), 0) === 1
}
