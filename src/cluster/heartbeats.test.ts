import { expect, test } from 'vitest'
import { NODE_BEAT_MS, NODE_LIFE_MS } from '../core/limits.ts'
import { Heartbeats } from './heartbeats.ts'

const START = 1_000

/** One observer of one node. */
function watching() {
  const beats = new Heartbeats()
  const look = (beat: number, askedAt: number, tookMs = 0) =>
    beats.staleNodes([{ id: 'nod_1', beat }], { askedAt, answeredAt: askedAt + tookMs }).has('nod_1')
  /** Looks every second, up to the time and not at it; returns whether the node was dead at one of the looks. */
  const lookOn = (beat: number, from: number, to: number) => {
    let wasDead = false
    for (let time = from; time < to; time += 1_000) wasDead ||= look(beat, time)
    return wasDead
  }
  return { beats, look, lookOn }
}

test('a node is dead when its beat stood still for a whole life, and not a moment sooner', () => {
  const { look, lookOn } = watching()
  expect(lookOn(7, START, START + NODE_LIFE_MS)).toBe(false)
  expect(look(7, START + NODE_LIFE_MS - 1)).toBe(false)
  expect(look(7, START + NODE_LIFE_MS)).toBe(true)
})

test('a beat that moved begins a new life, whatever its number', () => {
  const { look, lookOn } = watching()
  lookOn(7, START, START + NODE_LIFE_MS)
  const moved = START + NODE_LIFE_MS
  expect(lookOn(6, moved, moved + NODE_LIFE_MS)).toBe(false)
  expect(look(6, moved + NODE_LIFE_MS)).toBe(true)
})

test('time in which the observer only waited for an answer counts for the node', () => {
  const { look, lookOn } = watching()
  look(7, START, 8_000)
  expect(lookOn(7, START + 8_000, START + 8_000 + NODE_LIFE_MS)).toBe(false)
  expect(look(7, START + 8_000 + NODE_LIFE_MS)).toBe(true)
})

test('an observer that could not look gives every node a whole life more: perhaps no node could reach the database', () => {
  const { look, lookOn } = watching()
  lookOn(7, START, START + NODE_LIFE_MS)
  const back = START + NODE_LIFE_MS + 2 * NODE_BEAT_MS
  expect(lookOn(7, back, back + NODE_LIFE_MS)).toBe(false)
  expect(look(7, back + NODE_LIFE_MS)).toBe(true)
})

test('what was seen can be forgotten', () => {
  const { beats, look, lookOn } = watching()
  lookOn(7, START, START + NODE_LIFE_MS)
  beats.forget()
  expect(look(7, START + NODE_LIFE_MS)).toBe(false)
})
