import { expect, test } from 'vitest'
import { addressInContainer, reachOf } from './address-reach.ts'

test.for([
  ['http://127.0.0.1:8787', 'machine'],
  ['http://localhost:8787', 'machine'],
  ['http://[::1]:8787', 'machine'],
  ['http://192.168.1.5:8787', 'network'],
  ['http://10.0.0.2', 'network'],
  ['http://172.31.0.2', 'network'],
  ['http://100.64.3.2', 'network'],
  ['http://[fd00::2]:8787', 'network'],
  ['http://gate.local', 'network'],
  ['http://gate:8787', 'network'],
  ['https://172.32.0.2', 'everywhere'],
  ['https://ai.example.test', 'everywhere'],
  ['https://[2001:db8::1]', 'everywhere'],
] as const)('%s is reached from %s', ([origin, reach]) => {
  expect(reachOf(origin)).toBe(reach)
})

test('a container reaches this machine by a name of its own, and other addresses as they are', () => {
  expect(addressInContainer('http://127.0.0.1:8787/v1')).toBe('http://host.docker.internal:8787/v1')
  expect(addressInContainer('http://localhost')).toBe('http://host.docker.internal')
  expect(addressInContainer('https://ai.example.test/v1')).toBe('https://ai.example.test/v1')
})
