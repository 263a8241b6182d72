import type { ReactNode } from 'react'
import { useTexts } from '../../../dictionaries/texts.ts'
import { TextField } from '../../../forms/text-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import type { SettingFieldsProps } from './setting-fields-props.ts'

const MOST = 50

/** Links by which keys are imported into programs of one's own. */
export function ImportFields({ wish, onWish, errorOf }: SettingFieldsProps): ReactNode {
  const t = useTexts('settings').form
  const { imports } = wish
  const general = errorOf('imports')
  const change = (at: number, part: Partial<(typeof imports)[number]>): void =>
    onWish({ ...wish, imports: imports.map((each, index) => (index === at ? { ...each, ...part } : each)) })
  return (
    <>
      <p className="text-sm text-ink-2">{t.importHint}</p>
      {general !== undefined && <p className="text-sm text-bad">{general}</p>}
      {imports.map(({ name, template }, at) => (
        // On a phone the name has a line of its own, and the button stands behind the link.
        <div
          key={at}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-2 max-sm:[&>:first-child]:col-span-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)_auto]"
        >
          <TextField
            name={`imports.${at}.name`}
            label={t.importName(at + 1)}
            value={name}
            onValue={(text) => change(at, { name: text })}
            maxLength={60}
          />
          <TextField
            name={`imports.${at}.template`}
            label={t.importTemplate(at + 1)}
            value={template}
            onValue={(text) => change(at, { template: text })}
            maxLength={2000}
          />
          <IconButton
            icon="trash"
            label={t.removeImport(at + 1)}
            onClick={() => onWish({ ...wish, imports: imports.filter((_, index) => index !== at) })}
          />
        </div>
      ))}
      {imports.length < MOST && (
        <div>
          <Button icon="plus" onClick={() => onWish({ ...wish, imports: [...imports, { name: '', template: '' }] })}>
            {t.addImport}
          </Button>
        </div>
      )}
    </>
  )
}
