import { content, fill, press, reads, unfold } from '../reading.ts'
import { page, type View } from './view.ts'

export const DIAGNOSE: readonly View[] = [
  page('playground, an answer', '/playground?model=demo%2Fecho', async (at, { playground }) => {
    await press(at, playground.send)
    await reads(content(at), playground.answerOf('demo/echo'))
    await at.getByRole('link', { name: playground.receipt }).waitFor()
  }),
  page('diagnose', '/diagnose', (at, { diagnose }) => reads(at.getByRole('dialog'), diagnose.privacy)),
  {
    ...page('diagnose, a route', '/diagnose', async (at, { diagnose }) => {
      await unfold(at.getByRole('dialog'), diagnose.explain.title)
      await reads(at.getByRole('dialog'), diagnose.explain.lead)
    }),
    as: 'admin',
  },
  page('diagnose, an error', '/diagnose', async (at, { diagnose, faults }) => {
    await fill(at, diagnose.paste, 'http://localhost:1/v1/chat/completions sk-proj-abcdefghijklmnop1234')
    await press(at, diagnose.submit)
    await reads(at.getByRole('dialog'), faults.key_unknown.title)
  }),
]
