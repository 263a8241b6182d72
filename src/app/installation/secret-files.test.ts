import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { filledIn, markReferences } from '../declarative/located-yaml.ts'
import { readEnvironment } from './environment.ts'
import { givenSecret } from './secret-files.ts'

const SECRET = 'k7Qz0vBn3Lw9Xc5Jd8Rf2Tg6Yh1Mp4Sa'

let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'secret-files-'))
})

afterAll(() => rm(directory, { recursive: true }))

async function fileOf(text: string): Promise<string> {
  const path = join(directory, `secret-${text.length}`)
  await writeFile(path, text)
  await chmod(path, 0o400)
  return path
}

test('every secret can be given as a file, without the line break at its end', async () => {
  const path = await fileOf(`${SECRET}\n`)
  const url = await fileOf('postgres://user:password@db.example.test/tollgate\n')
  const settings = readEnvironment({
    TOLLGATE_SECRET_FILE: path,
    TOLLGATE_ADMIN_TOKEN_FILE: path,
    DATABASE_URL_FILE: url,
  })
  expect(settings).toMatchObject({
    secret: SECRET,
    adminToken: SECRET,
    databaseUrl: 'postgres://user:password@db.example.test/tollgate',
  })
})

test('a reference in the declarative file is filled from a file, too', async () => {
  const path = await fileOf(`${SECRET}\n`)
  const text = markReferences('credential: ${PROVIDER_KEY}')
  expect(filledIn(text, { PROVIDER_KEY_FILE: path })).toEqual({ kind: 'filled', text: `credential: ${SECRET}` })
})

test('an empty variable counts as unset, for the file as for the value', async () => {
  const path = await fileOf(SECRET)
  expect(givenSecret({ A: '', A_FILE: '' }, 'A')).toEqual({ kind: 'unset' })
  expect(givenSecret({ A: SECRET, A_FILE: ' ' }, 'A')).toEqual({ kind: 'given', text: SECRET })
  expect(givenSecret({ A: ' ', A_FILE: path }, 'A')).toEqual({ kind: 'given', text: SECRET })
})

describe('one sentence says what is wrong, without the secret and without the path', () => {
  const remedy = 'give it the path of a file with the value of TOLLGATE_SECRET.'

  test.each([
    ['both are set', { TOLLGATE_SECRET: SECRET, TOLLGATE_SECRET_FILE: '/run/secrets/it' }, 'are both set: unset one'],
    ['the secret itself where a path belongs', { TOLLGATE_SECRET_FILE: SECRET }, `cannot be read (ENOENT): ${remedy}`],
    ['a directory', { TOLLGATE_SECRET_FILE: '/' }, `something that is not a file: ${remedy}`],
    ['a device', { TOLLGATE_SECRET_FILE: '/dev/zero' }, `something that is not a file: ${remedy}`],
  ])('%s', (_, environment, words) => {
    const read = () => readEnvironment(environment)
    expect(read).toThrow(words)
    expect(read).not.toThrow(SECRET)
  })

  test('an empty file, and one that is too large', async () => {
    const empty = await fileOf('\n')
    const large = await fileOf('x'.repeat(65_537))
    expect(() => readEnvironment({ TOLLGATE_SECRET_FILE: empty })).toThrow(`a file that is empty: ${remedy}`)
    expect(() => readEnvironment({ TOLLGATE_SECRET_FILE: large })).toThrow('a file of more than 65536 bytes')
  })

  test('what is in the file is checked like the value, and not shown', async () => {
    const path = await fileOf('short')
    expect(() => readEnvironment({ TOLLGATE_SECRET_FILE: path })).toThrow('TOLLGATE_SECRET is set to 5 bytes')
  })
})

test('a variable without a secret is not read from a file', () => {
  expect(() => readEnvironment({ TOLLGATE_DATA_DIR_FILE: '/run/secrets/it' })).toThrow(
    'TOLLGATE_DATA_DIR_FILE is not a variable of Tollgate',
  )
})
