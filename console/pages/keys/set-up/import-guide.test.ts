import { createElement } from 'react'
import { expect, test } from 'vitest'
import type { ImportOption, ImportTargetView, KeySetup } from '../../../../src/contract/setup.ts'
import { texts as setupEn } from '../../../dictionaries/setup-en.ts'
import { drawn } from '../../../drawn.ts'
import { OneImport, WasOpened } from './import-guide.tsx'

const option: ImportOption = {
  id: 'codex',
  name: 'Codex',
  models: [],
  slots: [],
  link: { encoding: 'template', template: 'ccswitch://v1/import?apiKey={key}', escapes: [] },
} as never

const target = (name: string, warnings: ImportTargetView['warnings']): ImportTargetView => ({
  id: name,
  name,
  show_as: 'link',
  is_custom: false,
  warnings,
  unavailable: null,
  options: [option],
})

const ccSwitch = target('CC Switch', ['new_entry_each_time', 'key_in_web_address'])
const { new_entry_each_time: secondEntry, key_in_web_address: inAddress } = setupEn.warnings

test('that each click adds an entry to CC Switch is said after the first one, and all else to mind before it', async () => {
  const before = await drawn(
    createElement(OneImport, { setup: {} as KeySetup, secret: 'sk-tg-1', target: ccSwitch, option }),
  )
  expect(before).toContain(inAddress)
  expect(before).not.toContain(secondEntry)
  const after = await drawn(createElement(WasOpened, { target: ccSwitch }))
  expect(after).toContain(secondEntry)
  expect(after).not.toContain(inAddress)
  expect(await drawn(createElement(WasOpened, { target: target('Chatbox', []) }))).not.toContain(secondEntry)
})
