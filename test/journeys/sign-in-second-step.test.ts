import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Browser, type SignInUnderTest, startSignIn } from '../support/sign-in-under-test.ts'
import { totpCode } from '../support/totp-code.ts'

let place: SignInUnderTest
beforeEach(async () => {
  // Stands still: a code that a test takes for that of this moment, or for a used one, is it to the end of the test.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  place = await startSignIn()
})
afterEach(async () => {
  vi.useRealTimers()
  await place.close()
})

async function withSecondStep() {
  const ada = await place.account()
  const browser = place.browser()
  await browser.post('/sign-in', ada)
  const { body: started } = await browser.post('/totp/start')
  const finished = await browser.post('/totp/finish', { code: totpCode(started.secret) })
  return { ada, browser, started, finished }
}

async function atSecondStep(ada: { email: string; password: string }): Promise<Browser> {
  const browser = place.browser()
  const answer = await browser.post('/sign-in', ada)
  expect(answer.body).toEqual({ state: 'second_step', ways: ['totp', 'backup_code'] })
  return browser
}

test('is on only after the app showed that it has the secret, and the session goes on', async () => {
  const ada = await place.account()
  const browser = place.browser()
  await browser.post('/sign-in', ada)
  const { status, body } = await browser.post('/totp/start')
  expect(status).toBe(200)
  expect(body.uri).toMatch(/^otpauth:\/\/totp\/Tollgate:/)
  expect(body.backup_codes).toHaveLength(10)
  expect((await place.browser().post('/sign-in', ada)).body.state).toBe('signed_in')
  const wrong = await browser.post('/totp/finish', { code: totpCode(body.secret, 40) })
  expect(wrong).toMatchObject({ status: 401, body: { code: 'second_step_wrong' } })
  const finished = await browser.post('/totp/finish', { code: totpCode(body.secret) })
  expect(finished.body.totp).toEqual({ is_on: true, backup_codes_left: 10 })
  expect((await browser.get('/session')).body.account.id).toBe(ada.id)
  expect((await browser.post('/totp/start')).body.code).toBe('totp_already_on')
})

test('keeps a right password alone from signing in, and a code lets it', async () => {
  const { ada, started } = await withSecondStep()
  const browser = await atSecondStep(ada)
  expect((await browser.get('/session')).body.session).toBeNull()
  expect((await browser.get('/methods')).body.code).toBe('credential_missing')
  const step = (code: string) => browser.post('/second-step', { way: 'totp', code })
  expect((await step(totpCode(started.secret, 40))).body.code).toBe('second_step_wrong')
  expect(await step(totpCode(started.secret, 1))).toMatchObject({ status: 200, body: { state: 'signed_in' } })
  expect((await browser.get('/session')).body.account.id).toBe(ada.id)
  // Without the first step the second opens nothing.
  const alone = await place.browser().post('/second-step', { way: 'totp', code: totpCode(started.secret) })
  expect(alone.body.code).toBe('second_step_expired')
})

test('ends after five wrong codes, whatever comes then', async () => {
  const { ada, started } = await withSecondStep()
  const browser = await atSecondStep(ada)
  for (let i = 0; i < 5; i++)
    await browser.post('/second-step', { way: 'totp', code: totpCode(started.secret, 40 + i) })
  const late = await browser.post('/second-step', { way: 'totp', code: totpCode(started.secret) })
  expect(late.body.code).toBe('second_step_expired')
  expect((await browser.get('/session')).body.session).toBeNull()
})

test('a backup code works once, and new ones end the old', async () => {
  const { ada, started, browser } = await withSecondStep()
  const [first, second] = started.backup_codes
  const use = async (code: string) => (await atSecondStep(ada)).post('/second-step', { way: 'backup_code', code })
  expect((await use(first)).status).toBe(200)
  expect((await use(first)).body.code).toBe('second_step_wrong')
  expect((await browser.get('/methods')).body.totp.backup_codes_left).toBe(9)
  const renewed = await browser.post('/totp/backup-codes', { way: 'totp', code: totpCode(started.secret, 1) })
  expect(renewed.body.backup_codes).toHaveLength(10)
  expect((await use(second)).body.code).toBe('second_step_wrong')
  expect((await use(renewed.body.backup_codes[0])).status).toBe(200)
})

test('a trusted browser is spared it, until the password changes', async () => {
  const { ada, started } = await withSecondStep()
  const browser = await atSecondStep(ada)
  const step = { way: 'totp', code: totpCode(started.secret, 1), trust_browser: true }
  expect((await browser.post('/second-step', step)).status).toBe(200)
  await browser.post('/sign-out')
  expect((await browser.post('/sign-in', ada)).body.state).toBe('signed_in')
  const password = 'another good password'
  await browser.post('/password/change', { current_password: ada.password, new_password: password })
  await browser.post('/sign-out')
  expect((await browser.post('/sign-in', { ...ada, password })).body.state).toBe('second_step')
})

test('is turned off by who showed credentials lately, with a code that was not used', async () => {
  const { ada, started, browser } = await withSecondStep()
  const [first, second, third] = started.backup_codes
  place.advance(15 * 60_000)
  const stop = (body: object) => browser.post('/totp/stop', body)
  expect((await stop({ way: 'backup_code', code: first })).body.code).toBe('confirmation_needed')
  expect((await browser.post('/confirm', { totp: totpCode(started.secret, 40) })).body.code).toBe('second_step_wrong')
  expect((await browser.post('/confirm', { totp: totpCode(started.secret, 1) })).status).toBe(200)
  expect((await stop({})).status).toBe(422)
  expect((await stop({ way: 'totp', code: totpCode(started.secret, 40) })).body.code).toBe('second_step_wrong')
  expect((await stop({ way: 'totp', code: totpCode(started.secret, 1) })).body.code).toBe('second_step_wrong')
  expect((await stop({ way: 'backup_code', code: first })).body.totp).toEqual({ is_on: false, backup_codes_left: null })
  expect((await place.browser().post('/sign-in', ada)).body.state).toBe('signed_in')
  expect((await stop({ way: 'backup_code', code: second })).body.code).toBe('totp_not_on')
  expect((await browser.post('/totp/backup-codes', { way: 'backup_code', code: third })).body.code).toBe('totp_not_on')
})

test('neither the session nor the password alone turns it off or gets new backup codes', async () => {
  const { ada, browser } = await withSecondStep()
  expect((await browser.post('/confirm', { password: ada.password })).status).toBe(200)
  for (const path of ['/totp/stop', '/totp/backup-codes']) {
    expect((await browser.post(path, {})).status).toBe(422)
    const guess = await browser.post(path, { way: 'backup_code', code: 'aaaaa-aaaaa' })
    expect(guess.body.code).toBe('second_step_wrong')
  }
  expect((await browser.get('/methods')).body.totp).toEqual({ is_on: true, backup_codes_left: 10 })
})

test('a code works once, for whatever it is used, and ends those before it', async () => {
  const { ada, started } = await withSecondStep()
  const used = totpCode(started.secret)
  const step = async (code: string) => (await atSecondStep(ada)).post('/second-step', { way: 'totp', code })
  expect((await step(used)).body.code).toBe('second_step_wrong')
  const next = totpCode(started.secret, 1)
  const browser = await atSecondStep(ada)
  const again = await atSecondStep(ada)
  const answers = await Promise.all(
    [browser, again].map((each) => each.post('/second-step', { way: 'totp', code: next })),
  )
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 401])
  const signedIn = answers[0]?.status === 200 ? browser : again
  expect((await signedIn.post('/confirm', { totp: next })).body.code).toBe('second_step_wrong')
  expect((await step(totpCode(started.secret))).body.code).toBe('second_step_wrong')
  // What was refused left no session behind.
  expect((await signedIn.get('/sessions')).body.data).toHaveLength(2)
})

test('neither secret nor backup codes can be read in the database', async () => {
  const { started } = await withSecondStep()
  const stored = JSON.stringify(await place.store.signInRecords.select('secondFactor', { where: [], limit: 10 }))
  expect(stored).not.toContain(started.secret)
  for (const code of started.backup_codes) expect(stored).not.toContain(code)
  expect(JSON.stringify([place.events, place.errors])).not.toContain(started.secret)
})

describe('a wrong code in a session', () => {
  test('counts like a wrong password', async () => {
    const { started, browser } = await withSecondStep()
    for (let i = 0; i < 10; i++) {
      place.address = `10.0.0.${i}`
      await browser.post('/confirm', { totp: totpCode(started.secret, 40 + i) })
    }
    place.address = '10.0.1.1'
    expect((await browser.post('/confirm', { totp: totpCode(started.secret) })).body.code).toBe('credential_throttled')
  })
})
