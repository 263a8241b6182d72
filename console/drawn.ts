import { createElement, type ReactNode } from 'react'
import { prerender } from 'react-dom/static'

/** Draws a part of the console for a test: the first HTML, in English, with the texts that it waits for. */
export async function drawn(part: ReactNode): Promise<string> {
  const { prelude } = await prerender(part)
  return (await new Response(prelude).text()).replaceAll('<!-- -->', '')
}

/** Returns, to a test, what a hook gives to a component at its first drawing. */
export async function returned<Value>(use: () => Value): Promise<Value> {
  const seen: Value[] = []
  await drawn(
    createElement(() => {
      seen.push(use())
      return null
    }),
  )
  const last = seen.at(-1)
  if (last === undefined) throw new Error('the hook returned nothing')
  return last
}
