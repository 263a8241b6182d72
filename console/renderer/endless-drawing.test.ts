import { Component, createElement, render, type ComponentChildren } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
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
