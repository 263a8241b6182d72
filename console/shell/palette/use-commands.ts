import { useNavigate } from '@tanstack/react-router'
import { use } from 'react'
import { ADMIN_PATHS, type AdminPageName, MAIN_ADMIN_PAGES } from '../../admin-pages.ts'
import { useMay } from '../../api/use-may.ts'
import type { SharedTexts } from '../../dictionaries/shared-en.ts'
import type { ShellTexts } from '../../dictionaries/shell-en.ts'
import { loadShellTexts } from '../../dictionaries/shell.ts'
import { useSharedTexts } from '../../dictionaries/texts.ts'
import { type Language, LANGUAGE_NAMES, LANGUAGES } from '../../language.ts'
import { PATHS } from '../../paths.ts'
import { type Theme, THEMES, usePreferences } from '../../preferences.ts'
import { INSIDE_PAGES } from '../rail.ts'
import { usePageCall } from '../page-call.ts'
import type { Command } from './command.ts'
import type { ShellPart } from '../shell-part.ts'
import { useKeepPreference } from '../use-keep-preference.ts'
import { useDiagnose } from '../use-diagnose.ts'
import { useSignOut } from '../use-sign-out.ts'
import type { FlatSearch } from '../../table/table-search.ts'
import { copyText } from '../../ui/copy-text.ts'
import { useToast } from '../../ui/toasts.tsx'
import { atSite } from '../../site.ts'

/**
 * Every page of the reader's, and what can be done from anywhere, by its words in both languages; shown in the reader's.
 * "Copy as API call" is there where the page asks the API for something that can be copied.
 */
export function useCommands(open: (part: ShellPart) => void): readonly Command[] {
  const texts = use(loadShellTexts())
  const isChinese = usePreferences().language === 'zh-CN'
  const shared = useSharedTexts()
  const navigate = useNavigate()
  const toast = useToast()
  const call = usePageCall()
  const copyCall = async (): Promise<void> => {
    const text = call?.() ?? null
    const isCopied = text !== null && (await copyText(text))
    toast(isCopied ? { text: shared.copied } : { text: shared.copyFailed, tone: 'bad' })
  }
  const tools: CommandTools = {
    go: (path, search = {}) => void navigate({ to: path, search }),
    openTab: (path) => void window.open(atSite(path), '_blank', 'noreferrer'),
    copyCall: () => void copyCall(),
    diagnose: useDiagnose(),
    open,
    keep: useKeepPreference(),
    signOut: useSignOut(),
  }
  const [own, other] = isChinese ? [texts['zh-CN'], texts.en] : [texts.en, texts['zh-CN']]
  const isStaff = useMay('staff')
  return COMMANDS.filter(({ part, id }) => (isStaff || part !== 'admin') && (call !== null || id !== 'copyCall')).map(
    ({ nameIn, words, run, ...command }) => ({
      ...command,
      label: nameIn(own),
      names: [nameIn(own), nameIn(other)],
      words: [own.shell.words[words], other.shell.words[words]],
      run: () => run(tools),
    }),
  )
}

type InsidePath =
  | (typeof PATHS)[(typeof INSIDE_PAGES)[number]['name'] | 'devices' | 'device']
  | (typeof ADMIN_PATHS)[AdminPageName]

/** What commands do it with. */
interface CommandTools {
  go(path: InsidePath, search?: FlatSearch): void
  openTab(path: `/${string}`): void
  copyCall(): void
  diagnose(): void
  open(part: ShellPart): void
  keep(change: { readonly theme: Theme } | { readonly language: Language }): void
  signOut(): void
}

/** A command that is always there, before it has words. */
interface FixedCommand extends Pick<Command, 'id' | 'part' | 'icon' | 'focus'> {
  nameIn(texts: { readonly shell: ShellTexts; readonly shared: SharedTexts }): string
  /** Where its other words are. */
  readonly words: keyof ShellTexts['words']
  run(tools: CommandTools): void
}

const pages = INSIDE_PAGES.map(({ name, icon }): FixedCommand => ({
  id: name,
  part: 'pages',
  icon,
  focus: 'page',
  nameIn: ({ shared }) => shared.pages[name],
  words: name,
  run: (tools) => tools.go(PATHS[name]),
}))

const adminPages = MAIN_ADMIN_PAGES.map(({ name, icon }): FixedCommand => ({
  id: `admin-${name}`,
  part: 'admin',
  icon,
  focus: 'page',
  nameIn: ({ shell }) => shell.admin.pages[name],
  words: name,
  run: (tools) => tools.go(ADMIN_PATHS[name]),
}))

function action(
  id: keyof ShellTexts['actions'],
  run: FixedCommand['run'],
  { icon, focus = 'page' }: Pick<Command, 'icon'> & Partial<Pick<Command, 'focus'>>,
): FixedCommand {
  return { id, part: 'actions', icon, focus, nameIn: ({ shell }) => shell.actions[id], words: id, run }
}

const themes = THEMES.map((theme): FixedCommand => ({
  id: `theme-${theme}`,
  part: 'actions',
  icon: theme === 'dark' ? 'moon' : 'sun',
  focus: 'opener',
  nameIn: ({ shared }) => shared.labelled(shared.theme, shared.themes[theme]),
  words: 'theme',
  run: (tools) => tools.keep({ theme }),
}))

const languages = LANGUAGES.map((language): FixedCommand => ({
  id: `language-${language}`,
  part: 'actions',
  icon: 'globe',
  focus: 'opener',
  nameIn: ({ shared }) => shared.labelled(shared.language, LANGUAGE_NAMES[language]),
  words: 'language',
  run: (tools) => tools.keep({ language }),
}))

const COMMANDS: readonly FixedCommand[] = [
  ...pages,
  ...adminPages,
  action('createKey', (tools) => tools.go(PATHS.keys, { new: 'key' }), { icon: 'plus', focus: 'own' }),
  action('setUp', (tools) => tools.go(PATHS.overview, { another: '1' }), { icon: 'terminal' }),
  action('diagnose', (tools) => tools.diagnose(), { icon: 'diagnose', focus: 'own' }),
  action('redeem', (tools) => tools.go(PATHS.billing, { redeem: 'code' }), { icon: 'billing', focus: 'own' }),
  action('devices', (tools) => tools.go(PATHS.devices), { icon: 'device' }),
  action('signInDevice', (tools) => tools.go(PATHS.device), { icon: 'device', focus: 'own' }),
  action('security', (tools) => tools.go(PATHS.account, { section: 'security' }), { icon: 'shield' }),
  action('tokens', (tools) => tools.go(PATHS.account, { section: 'tokens' }), { icon: 'terminal' }),
  action('notices', (tools) => tools.open('notices'), { icon: 'bell', focus: 'own' }),
  action('shortcuts', (tools) => tools.open('shortcuts'), { icon: 'info', focus: 'own' }),
  ...themes,
  ...languages,
  action('copyCall', (tools) => tools.copyCall(), { icon: 'terminal', focus: 'opener' }),
  action('docs', (tools) => tools.openTab('/docs'), { icon: 'external', focus: 'opener' }),
  action('apiDocs', (tools) => tools.openTab('/api/docs'), { icon: 'external', focus: 'opener' }),
  action('errorDocs', (tools) => tools.openTab('/docs/errors'), { icon: 'external', focus: 'opener' }),
  action('changes', (tools) => tools.openTab('/docs/changes'), { icon: 'external', focus: 'opener' }),
  action('signOut', (tools) => tools.signOut(), { icon: 'signOut', focus: 'opener' }),
]
