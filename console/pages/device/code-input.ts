/** How a field looks and behaves that a sign-in code is typed into. */
export const CODE_INPUT = {
  placeholder: 'XXXX-XXXX',
  autoComplete: 'off',
  autoCapitalize: 'characters',
  spellCheck: false,
  maxLength: 20,
  className: 'font-mono text-lg tracking-widest uppercase placeholder:text-ink-3',
} as const
