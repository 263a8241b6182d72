import { expect, test } from 'vitest'
import { readMailSender, readMailServer } from './mail-address.ts'

test.for([
  ['smtp://mail.example.test', { host: 'mail.example.test', port: 587, isSecure: false, credentials: null }],
  ['smtps://mail.example.test/', { host: 'mail.example.test', port: 465, isSecure: true, credentials: null }],
  [
    'smtp://ada%40example.test:p%3Ass%20word@10.0.0.9:2525',
    {
      host: '10.0.0.9',
      port: 2525,
      isSecure: false,
      credentials: { user: 'ada@example.test', password: 'p:ss word' },
    },
  ],
  ['smtp://[::1]:25', { host: '::1', port: 25, isSecure: false, credentials: null }],
] as const)('%s is read', ([text, server]) => {
  expect(readMailServer(text)).toEqual(server)
})

test.for([
  'mail.example.test:587',
  'http://mail.example.test',
  'smtp://',
  'smtp://mail.example.test/inbox',
  'smtp://mail.example.test?tls=no',
  'smtp://user@mail.example.test',
  'smtp://user:%zz@mail.example.test',
])('%s names no mail server', (text) => {
  expect(readMailServer(text)).toBeNull()
})

test.for([
  ['alerts@example.test', { name: '', address: 'alerts@example.test' }],
  ['<alerts@example.test>', { name: '', address: 'alerts@example.test' }],
  ['Tollgate Alerts <alerts@example.test>', { name: 'Tollgate Alerts', address: 'alerts@example.test' }],
  ['"Müller, Ada" <ada@example.test>', { name: 'Müller, Ada', address: 'ada@example.test' }],
] as const)('%s is read', ([text, sender]) => {
  expect(readMailSender(text)).toEqual(sender)
})

test.for([
  'alerts',
  'a@b@c',
  'a@example.test, b@example.test',
  'Ada <a@example.test> <b@example.test>',
  'Ada <a@example.test>\nBcc: b@example.test',
  'a\nb@example.test',
])('%j is not a sender', (text) => {
  expect(readMailSender(text)).toBeNull()
})
