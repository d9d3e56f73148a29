// As much Markdown as the rules need: headings, paragraphs, lists, tables, emphasis, code, links. Text only, no HTML.

// A `ruling` is the mark of a house ruling; a `rule` has the numbers of rules.
export type Inline = { kind: 'text' | 'strong' | 'em' | 'code' | 'ruling' | 'rule'; text: string };
export type Block =
  | { kind: 'heading'; level: number; text: Inline[]; id: string }
  | { kind: 'paragraph'; text: Inline[] }
  | { kind: 'list'; ordered: boolean; items: Inline[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'code'; text: string };

const RULES = /^[A-Z]{2}-[V\d]/;

export function inline(text: string): Inline[] {
  const found: Inline[] = [];
  let last = 0;
  for (const match of text.matchAll(
    /(?:\*\*)?(†)(?:\*\*)?|\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`|\[(.+?)\]\(.+?\)/g,
  )) {
    if (match.index > last) found.push({ kind: 'text', text: text.slice(last, match.index) });
    if (match[1]) found.push({ kind: 'ruling', text: match[1] });
    else if (match[2]) found.push({ kind: 'strong', text: match[2] });
    else if (match[3]) found.push({ kind: RULES.test(match[3]) ? 'rule' : 'em', text: match[3] });
    else if (match[4]) found.push({ kind: 'code', text: match[4] });
    else found.push({ kind: 'text', text: match[5] });
    last = match.index + match[0].length;
  }
  if (last < text.length) found.push({ kind: 'text', text: text.slice(last) });
  return found;
}

const cells = (row: string): Inline[][] =>
  row
    .replace(/^\||\|\s*$/g, '')
    .split('|')
    .map((cell) => inline(cell.trim()));

export function markdown(source: string): Block[] {
  const blocks: Block[] = [];
  const lines = source.replace(/\r/g, '').split('\n');
  for (let i = 0; i < lines.length;) {
    const line = lines[i];
    if (!line.trim()) {
      i++;
      continue;
    }
    const heading = /^(#{1,4}) (.*)$/.exec(line);
    if (heading) {
      const plain = heading[2].replace(/[*`]/g, '');
      blocks.push({
        kind: 'heading',
        level: heading[1].length,
        text: inline(heading[2]),
        id: plain.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-'),
      });
      i++;
    } else if (line.startsWith('```')) {
      const body: string[] = [];
      for (i++; i < lines.length && !lines[i].startsWith('```'); i++) body.push(lines[i]);
      i++;
      blocks.push({ kind: 'code', text: body.join('\n') });
    } else if (/^\s*([-*]|\d+\.) /.test(line)) {
      const items: string[] = [];
      const ordered = /^\s*\d+\. /.test(line);
      for (; i < lines.length && lines[i].trim(); i++) {
        if (/^\s*([-*]|\d+\.) /.test(lines[i])) items.push(lines[i].replace(/^\s*([-*]|\d+\.) /, ''));
        else items[items.length - 1] += ' ' + lines[i].trim();
      }
      blocks.push({ kind: 'list', ordered, items: items.map(inline) });
    } else if (line.startsWith('|')) {
      const rows: string[] = [];
      for (; i < lines.length && lines[i].startsWith('|'); i++) rows.push(lines[i]);
      const [head, , ...body] = rows;
      blocks.push({ kind: 'table', head: cells(head), rows: body.map(cells) });
    } else {
      const words: string[] = [];
      for (; i < lines.length && lines[i].trim() && !/^(#{1,4} |\||```|\s*([-*]|\d+\.) )/.test(lines[i]); i++)
        words.push(lines[i].trim());
      blocks.push({ kind: 'paragraph', text: inline(words.join(' ')) });
    }
  }
  return blocks;
}
