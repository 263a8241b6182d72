import { expect, test } from 'vitest'
import { canSignIn, signInCommands } from './sign-in-commands.ts'

test('a client is signed in and set up by two commands, where the command line knows it', () => {
  const origin = 'https://gateway.example.test'
  expect(signInCommands(origin, 'codex')?.split('\n')).toEqual([
    'npx -y https://gateway.example.test/client.tgz login https://gateway.example.test',
    'npx -y https://gateway.example.test/client.tgz use codex',
  ])
  expect(signInCommands(origin)).toMatch(/ use$/)
  expect(signInCommands(origin, 'cursor')).toBeNull()
})

test('programs sign in over HTTPS, and over HTTP on the machine itself alone', () => {
  const origins = [
    'https://gateway.example.test',
    'http://localhost:8787',
    'http://127.0.0.1:8787',
    'http://10.0.0.5:8787',
  ]
  expect(origins.map(canSignIn)).toEqual([true, true, true, false])
})
