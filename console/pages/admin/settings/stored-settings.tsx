import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SettingsRead } from '../../../../src/contract/administration.ts'
import type { SettingName } from '../../../../src/contract/configuration.ts'
import { changeSettings, type SettingSource } from '../../../api/settings-admin.ts'
import { useMay } from '../../../api/use-may.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useVersionedEdit } from '../../../forms/use-versioned-edit.tsx'
import { useFormat } from '../../../format/use-format.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/section.tsx'
import { useToast } from '../../../ui/toasts.tsx'
import { SETTING_NAMES } from './setting-form.ts'
import { SettingValue } from './setting-value.tsx'

const TONES = { file: 'warn', stored: 'accent' } as const satisfies Record<string, Tone>

/** The last change that was made on this page, until the page is left or the change undone. */
export interface LastEdit {
  readonly name: SettingName
  readonly before: unknown
  /** The version of the settings once the edit was saved: an undo takes nothing else back. */
  readonly version: string
}

/** What admins change here, each with its value and an editor; the last change can be undone. */
export function StoredSettings(props: {
  readonly settings: SettingsRead
  readonly sources: readonly SettingSource[]
  matches(...texts: readonly (string | null)[]): boolean
  onEdit(name: SettingName): void
  readonly last: LastEdit | null
  onUndone(): void
}): ReactNode {
  const t = useTexts('settings')
  const mayChange = useMay('admin')
  const { settings, sources, matches, onEdit } = props
  const shown = SETTING_NAMES.filter((name) => matches(name, t.settings[name].name, t.settings[name].does))
  return (
    <Section title={t.stored.title} lead={t.stored.lead}>
      <UndoLast last={props.last} onUndone={props.onUndone} />
      {shown.length === 0 ? (
        <p className="text-ink-2">{t.none}</p>
      ) : (
        <ul className="-my-3 divide-y divide-line">
          {shown.map((name) => {
            const { name: title, does } = t.settings[name]
            const { source = 'default', changed = null } = sources.find((each) => each.name === name) ?? {}
            return (
              <li
                key={name}
                className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 gap-y-1 py-3 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto]"
              >
                <div className="min-w-0">
                  <p className="font-medium">{title}</p>
                  <p className="text-sm [overflow-wrap:anywhere] text-ink-2">{does}</p>
                </div>
                <div className="flex min-w-0 flex-wrap content-start items-start gap-x-2 gap-y-1 max-sm:col-span-2 max-sm:row-start-2">
                  <div className="min-w-0 [overflow-wrap:anywhere]">
                    <SettingValue name={name} settings={settings} />
                    {source === 'file' && <p className="text-sm text-ink-2">{t.fromFile}</p>}
                  </div>
                  {source === 'default' ? (
                    <span className="text-sm text-ink-3">{t.sources.default}</span>
                  ) : (
                    <Badge tone={TONES[source]}>{t.sources[source]}</Badge>
                  )}
                  {changed !== null && <ChangedBy {...changed} />}
                </div>
                {/* As high as the first line beside it. */}
                <div className="-mt-1.5 flex min-w-9 items-start justify-end touch:-mt-3">
                  {mayChange && source !== 'file' && (
                    <IconButton icon="edit" label={t.edit(title)} onClick={() => onEdit(name)} />
                  )}
                </div>
              </li>
            )
          })}
        </ul>
      )}
    </Section>
  )
}

function ChangedBy({ created_at: at, actor_email: email, via }: NonNullable<SettingSource['changed']>): ReactNode {
  const t = useTexts('settings')
  const { via: ways } = useTexts('audit')
  const format = useFormat()
  return <p className="basis-full text-sm text-ink-3">{t.changed(email ?? ways[via], format.time(at))}</p>
}

/** Puts the last change of this page back; where another change came since, both versions are shown first. */
function UndoLast({ last, onUndone }: { readonly last: LastEdit | null; onUndone(): void }): ReactNode {
  const t = useTexts('settings')
  const queries = useQueryClient()
  const toast = useToast()
  const undo = useVersionedEdit<LastEdit>({
    version: last?.version ?? '',
    send: async ({ name, before }, of) => {
      await changeSettings({ [name]: before }, of)
      onUndone()
      toast({ text: t.undone(t.settings[name].name) })
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: ['settings'] }),
  })
  if (last === null) return undo.dialog
  return (
    <div className="mb-4">
      <Notice
        tone="good"
        isLive
        action={
          <Button isBusy={undo.isPending} onClick={() => undo.press(last)}>
            {t.undo}
          </Button>
        }
      >
        {t.saved(t.settings[last.name].name)}
      </Notice>
      {undo.dialog}
    </div>
  )
}
