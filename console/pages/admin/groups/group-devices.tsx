import { type ReactNode, useState } from 'react'
import { eachClaudeSetting } from '../../../../src/core/claude-settings.ts'
import { useMay } from '../../../api/use-may.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { TextAreaField } from '../../../forms/text-field.tsx'
import type { FormState } from '../../../forms/use-form.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { readObject } from '../kit/json-object.ts'
import type { GroupForm } from './group-form.ts'

/** What holds for the devices that are signed in in a group: folded away while nothing is set. */
export function DevicesOfGroup({ form }: { readonly form: FormState<GroupForm> }): ReactNode {
  const t = useTexts('groups').form
  const { values, change, errorOf } = form
  const [isSet] = useState(values.claude !== '')
  const error = errorOf('claude_settings')
  return (
    <Disclosure
      title={t.devices}
      summary={values.claude.trim() === '' ? t.devicesUnset : t.claude}
      isOpenAtFirst={isSet || error !== undefined}
    >
      <div className="grid grid-cols-1 gap-4">
        <TextAreaField
          name="claude_settings"
          label={t.claude}
          hint={t.claudeHint}
          error={error}
          rows={8}
          spellCheck={false}
          className="font-mono text-sm"
          value={values.claude}
          onValue={(claude) => change({ claude })}
        />
        <ClaudeMarks text={values.claude} />
      </div>
    </Disclosure>
  )
}

/** How many names are listed; the others are left out. */
const MOST_NAMES = 12

/** What is more than a choice of models and the like in settings of Claude Code, before it is saved. */
function ClaudeMarks({ text }: { readonly text: string }): ReactNode {
  const t = useTexts('groups').form.marks
  const format = useFormat()
  const isAdmin = useMay('admin')
  const settings = readObject(text)
  const marked = settings === null ? [] : eachClaudeSetting(settings).filter(({ does }) => does !== 'harmless')
  const namesOf = (...effects: readonly string[]): string | null => {
    const names = marked.filter(({ does }) => effects.includes(does)).map(({ path }) => path)
    return names.length === 0 ? null : format.list(names.slice(0, MOST_NAMES)) + (names.length > MOST_NAMES ? ' …' : '')
  }
  const [runs, asks, all] = [namesOf('runs'), namesOf('runs', 'asks'), namesOf('runs', 'asks', 'unknown')]
  const forbidden = isAdmin ? null : all
  if (asks === null && forbidden === null) return null
  return (
    <Notice tone="warn" isLive>
      <div className="grid gap-1 [overflow-wrap:anywhere]">
        {runs !== null && <p>{t.runs(runs)}</p>}
        {asks !== null && <p>{t.asks(asks)}</p>}
        {forbidden !== null && <p>{t.admins(forbidden)}</p>}
      </div>
    </Notice>
  )
}
