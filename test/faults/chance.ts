import { fixedSeed } from '../support/run/suite.ts'

/** Numbers that look like chance and can be had again: the same seed gives the same ones in the same order. */
export class Chance {
  #state: number

  constructor(seed: number) {
    // An xorshift register must not be all zero.
    this.#state = (seed % 2 ** 32) | 0 || 1
    for (let turn = 0; turn < 8; turn++) this.#turn()
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + (this.#turn() % (most - least + 1))
  }

  isHit(percent: number): boolean {
    return this.between(0, 99) < percent
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[this.between(0, list.length - 1)]
    if (picked === undefined) throw new Error('nothing to pick from')
    return picked
  }

  shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((item) => ({ item, place: this.#turn() }))
      .sort((one, other) => one.place - other.place)
      .map(({ item }) => item)
  }

  /** The next 32 bits, by Marsaglia's xorshift with the shifts 13, 17 and 5. */
  #turn(): number {
    let bits = this.#state
    bits ^= bits << 13
    bits ^= bits >>> 17
    bits ^= bits << 5
    this.#state = bits
    return bits >>> 0
  }
}

/** The seed of this run: `FAULTS_SEED` to repeat a run, else a new one. It is printed either way. */
export function seedOfRun(environment: NodeJS.ProcessEnv, about: string): number {
  const wanted = Number(environment['FAULTS_SEED'])
  const unasked = fixedSeed(environment) ?? Math.ceil(Math.random() * 1_000_000_000)
  const seed = Number.isSafeInteger(wanted) && wanted > 0 ? wanted : unasked
  console.log(`${about}: FAULTS_SEED=${seed} asks the same again`)
  return seed
}

/** How many times longer than usual a run is: `FAULTS_LENGTH`, 1 unless set. */
export function lengthOfRun(environment: NodeJS.ProcessEnv): number {
  const wanted = Number(environment['FAULTS_LENGTH'])
  return Number.isSafeInteger(wanted) && wanted > 0 ? wanted : 1
}

/** How many rounds a run has: `FAULTS_ROUNDS`, one of each kind unless set. */
export function roundsOfRun(environment: NodeJS.ProcessEnv, kinds: number): number {
  const wanted = Number(environment['FAULTS_ROUNDS'])
  return Number.isSafeInteger(wanted) && wanted > 0 ? wanted : kinds
}

/** How many threads of each gateway carry requests: `FAULTS_WORKERS`, one unless set. */
export function threadsOfRun(environment: NodeJS.ProcessEnv): number {
  const wanted = Number(environment['FAULTS_WORKERS'])
  return Number.isSafeInteger(wanted) && wanted > 0 ? wanted : 1
}

/** The number of workers, as a gateway's environment says it. */
export function workersOfRun(environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const threads = threadsOfRun(environment)
  return threads > 1 ? { TOLLGATE_WORKERS: String(threads) } : {}
}
