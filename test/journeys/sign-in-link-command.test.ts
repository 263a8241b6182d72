import { expect, test } from 'vitest'
import { freshEnvironment, startGateway } from '../support/gateway-for-test.ts'
import { runTollgate } from '../support/gateway-process.ts'

test('an admin who is locked out gets in again by a link from the command line, once', async () => {
  const environment = await freshEnvironment({ HOST: '0.0.0.0' })
  const gateway = await startGateway(environment)
  const made = await runTollgate(environment, ['account', 'sign-in-link'])
  expect(made).toMatchObject({ code: 0, stderr: '' })
  expect(made.stdout).toContain('http://127.0.0.1:')
  const token = /\/console\/reset-password#([\w-]{43})\n/.exec(made.stdout)?.[1] ?? ''

  const origin = gateway.origin.replace('0.0.0.0', '127.0.0.1')
  const post = (path: string, body: object) =>
    fetch(`${origin}/api/auth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const password = 'correct horse battery'
  expect((await post('/password/reset', { token, password })).status).toBeLessThan(300)
  expect((await post('/password/reset', { token, password: 'another horse battery' })).status).toBe(410)
  const signedIn = await post('/sign-in', { email: 'admin@localhost', password })
  expect(signedIn.status).toBe(200)
  expect(signedIn.headers.get('set-cookie')).toMatch(/HttpOnly/i)
  expect(await gateway.stop()).toBe(0)

  // Of two admins it has to be said which.
  await runTollgate(environment, ['account', 'create', '--email', 'ada@example.test', '--role', 'admin'])
  const unsaid = await runTollgate(environment, ['account', 'sign-in-link'])
  expect(unsaid).toMatchObject({ code: 1, stdout: '' })
  expect(unsaid.stderr).toMatch(/^There are several admins \(.*ada@example\.test.*\): name one with --email\.\n$/)
})

test('there is no link for an account that does not exist', async () => {
  const environment = await freshEnvironment()
  const none = await runTollgate(environment, ['account', 'sign-in-link', '--email', 'nobody@example.test'])
  expect(none.code).toBe(1)
  expect(none.stderr).toMatch(/^There is no account nobody@example\.test/)
  expect(none.stdout).toBe('')
})
