import { expect, onTestFinished } from 'vitest'
import { Chance } from './chance.ts'
import { Installation } from './installation.ts'
import { happenings, type RoundKind } from './rounds.ts'
import type { BooksPlace } from './written-books.ts'

/** An installation of its own, and rounds on it, each of another kind. */
export interface Chapter {
  readonly seed: number
  readonly rounds: number
}

/** Cuts a run into chapters, each with the seed by which it alone is played again. */
export function chaptersOf(run: { rounds: number; seed: number }, kinds: number): readonly Chapter[] {
  return Array.from({ length: Math.ceil(run.rounds / kinds) }, (_, index) => ({
    seed: run.seed + index,
    rounds: Math.min(kinds, run.rounds - index * kinds),
  }))
}

/** Plays a chapter, and compares all books after each of its rounds. */
export async function playChapter<Means>(
  { seed, rounds }: Chapter,
  about: { place: BooksPlace; kinds: readonly RoundKind<Means>[]; means: Means },
): Promise<void> {
  const { place, kinds, means } = about
  const chance = new Chance(seed)
  const installation = await Installation.make(place, { chance, label: `rounds-${seed}` })
  onTestFinished(() => installation.close())
  for (const kind of chance.shuffled(kinds).slice(0, rounds)) {
    await kind.play(installation, means)
    await installation.check(`after ${kind.name}, with seed ${seed}`)
  }
  if (rounds >= WHOLE_CHAPTER) expect(happenings(await installation.evidence())).toEqual(everythingHappened)
}

/** So many rounds are load enough to come to every edge. */
const WHOLE_CHAPTER = 6

const atLeast = (least: number) => expect.toSatisfy((count: number) => count >= least, `at least ${least}`)
const everythingHappened = {
  completed: atLeast(300),
  failed: atLeast(50),
  aborted: atLeast(10),
  cutShort: atLeast(3),
  paidBySubscription: atLeast(20),
  balanceExhausted: atLeast(2),
  quotaExhausted: atLeast(2),
  subscriptionExhausted: atLeast(2),
  rateLimited: atLeast(20),
}
