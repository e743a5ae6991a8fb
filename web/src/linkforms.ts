// The link as people paste it.

export type LinkForm = 'plain' | 'mail' | 'markdown';

/** A link in angle brackets survives line breaks in mail (RFC 3986, appendix C); Markdown shows the title. */
export function linkAs(form: LinkForm, address: string, title: string): string {
  if (form === 'mail') return `<${address}>`;
  if (form === 'markdown') return `[${title.replace(/[\\[\]`*_<>]/g, '\\$&')}](${address})`;
  return address;
}
