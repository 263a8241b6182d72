import { onTestFinished, test } from 'vitest'
import { breakableDisk } from './breakable-disk.ts'
import { roundsOfRun, seedOfRun } from './chance.ts'
import { chaptersOf, expectEveryEdge, playChapter } from './chapter.ts'
import { fullDisk, type Happenings, jumps, kill, killWhileDraining, readOnlyDirectory, tornFrame } from './rounds.ts'

/*
 * Rounds of random load under a fault each: parallel keys near every limit, streams, clients that hang up or read slowly,
 * upstreams that fail. After each round all books are compared with what the clients saw and the fake upstream served.
 *
 *   npm run test:faults -- --rounds 200 --seed 7
 *
 * `FAULTS_ROUNDS` and `FAULTS_SEED` say the same to vitest. Rounds come in chapters: a chapter has an installation of its
 * own and one round of each kind, in random order. One that fails is played again by the seed in its name and 6 rounds;
 * what meets what in the same millisecond is another each time.
 */

const KINDS = [kill, killWhileDraining, tornFrame, fullDisk, readOnlyDirectory, jumps]
const CHAPTERS = chaptersOf({ rounds: roundsOfRun(process.env), seed: seedOfRun(process.env, 'rounds') }, KINDS.length)
const CHAPTER_MS = 900_000
const happened: Happenings[] = []

test.for(CHAPTERS)(
  'nothing is lost, nothing is double and no limit is passed, whatever breaks in $rounds rounds (seed $seed)',
  { timeout: CHAPTER_MS },
  async (chapter) => {
    // There are two ways in which a disk is full: it is, or no file may grow.
    const disk = await breakableDisk({ wantsOwnDisk: chapter.seed % 2 === 0 })
    onTestFinished(() => disk.close())
    const place = { dataDirectory: disk.directory, databaseUrl: null }
    happened.push(await playChapter(chapter, { place, kinds: KINDS, means: disk }))
  },
)

// A run of single rounds, as played to look for one failure, does not come to every edge.
if (roundsOfRun(process.env) >= KINDS.length) {
  test('the load of the rounds came to every edge', () => expectEveryEdge(happened))
}
