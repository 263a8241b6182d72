import { Component, createElement, render, type ComponentChildren } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { setImmediate as nextTask, setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { endEndlessDrawing } from './endless-drawing.ts'

endEndlessDrawing()

/** What Preact touches of a page that stays empty. */
function emptyPage(): Element {
  return { nodeType: 1, childNodes: [], firstChild: null, insertBefore() {}, removeChild() {} } as unknown as Element
}

class Boundary extends Component<{ children: ComponentChildren; onCaught(error: unknown): void }, { isOver: boolean }> {
  override state = { isOver: false }

  override componentDidCatch(error: unknown): void {
    this.props.onCaught(error)
    this.setState({ isOver: true })
  }

  override render(): ComponentChildren {
    return this.state.isOver ? null : this.props.children
  }
}

/** Draws a component that changes its own state so many times, and resolves with what its boundary caught. */
async function drawn(times: number): Promise<{ readonly draws: number; readonly caught: readonly unknown[] }> {
  const caught: unknown[] = []
  let draws = 0
  function Restless(): null {
    const [count, setCount] = useState(0)
    draws += 1
    useLayoutEffect(() => {
      if (count < times) setCount(count + 1)
    })
    return null
  }
  const children = createElement(Restless, {})
  render(createElement(Boundary, { children, onCaught: (error) => void caught.push(error) }), emptyPage())
  await pause(50)
  return { draws, caught }
}

test('a component that is drawn a few times is left alone', async () => {
  expect(await drawn(50)).toEqual({ draws: 51, caught: [] })
})

test('one that would be drawn for ever is ended, by its name, and the page goes on', async () => {
  const { draws, caught } = await drawn(Infinity)
  expect(draws).toBe(100)
  expect(caught).toEqual([new Error('Restless is drawn again and again without an end.')])
})

test('one that is drawn a thousand times in tasks of their own is left alone, where timers wait as in a hidden tab', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const caught: unknown[] = []
  let change = (_text: number): void => {}
  function Streamed(): null {
    const [, setText] = useState(0)
    change = setText
    return null
  }
  const children = createElement(Streamed, {})
  render(createElement(Boundary, { children, onCaught: (error) => void caught.push(error) }), emptyPage())
  for (let chunk = 1; chunk <= 1_000; chunk++) {
    change(chunk)
    await nextTask()
  }
  expect(caught).toEqual([])
})
