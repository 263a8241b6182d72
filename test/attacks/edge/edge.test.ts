import { afterAll, beforeAll, describe } from 'vitest'
import { type Edge, openEdge } from './edge.ts'
import { headerAttacks } from './header-attacks.ts'
import { loadAttacks } from './load-attacks.ts'
import { readSettings } from '../settings.ts'
import { secretAttacks } from './secret-attacks.ts'
import { strangerAttacks } from './stranger-attacks.ts'

let opened: Edge

beforeAll(async () => {
  opened = await openEdge()
})
afterAll(() => opened.close())

describe('headers and content types', () => headerAttacks(() => opened))
describe('secrets in answers', () => secretAttacks(() => opened))
describe('guessing and sign-in', () => strangerAttacks(() => opened))
if (readSettings(process.env).isLong) describe('bodies and counts', () => loadAttacks(() => opened))
