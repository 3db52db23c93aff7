// What is wrong with a page as it is shown now: a list of sentences. Run in the page.
(function (options) {
  'use strict';
  const problems = [];
  const report = (text) => { if (problems.length < 40) { problems.push(text); } };

  function name(element) {
    const id = element.id ? '#' + element.id : '';
    const text = (element.textContent || '').trim().replace(/\s+/g, ' ').slice(0, 40);
    return `<${element.tagName.toLowerCase()}${id}> "${text}"`;
  }

  function isShown(element) {
    if (!element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) { return false; }
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0;
  }

  // Nothing sticks out of the window.
  function overflow() {
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth + 1) {
      report(`the page is ${root.scrollWidth} px wide in a window of ${root.clientWidth} px`);
    }
    if (options.isPaper) {
      document.querySelectorAll('table, svg, pre').forEach((element) => {
        const right = element.getBoundingClientRect().right;
        if (isShown(element) && right > root.clientWidth + 1) {
          report(`${name(element)} ends at ${Math.round(right)} px of ${root.clientWidth} px of paper`);
        }
      });
    }
    // What can be scrolled can be reached with keys.
    document.querySelectorAll(options.within).forEach((top) => {
      [top, ...top.querySelectorAll('*')].forEach((element) => {
        const style = getComputedStyle(element);
        const scrolls = ['auto', 'scroll'].includes(style.overflowX)
          && element.scrollWidth > element.clientWidth + 1;
        if (scrolls && isShown(element) && element.tabIndex < 0 && !options.isPaper) {
          report(`${name(element)} scrolls, and keys can't reach it`);
        }
      });
    });
  }

  // Text of plots is as large as one can read.
  function plots() {
    document.querySelectorAll('svg.plot').forEach((svg) => {
      if (!isShown(svg)) { return; }
      const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
      const sizes = Array.from(svg.querySelectorAll('text'), (text) => parseFloat(getComputedStyle(text).fontSize));
      const least = Math.min(...sizes) * scale;
      if (least < 9.5) { report(`text of a plot has ${least.toFixed(1)} px: ${svg.getAttribute('aria-label')}`); }
    });
  }

  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  function rgba(color) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = '#000';
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  }
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  function luminance(color) {
    const [r, g, b] = color.slice(0, 3).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }
  function behind(element) {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const color = rgba(getComputedStyle(at).backgroundColor);
      if (color[3] > 0) { layers.push(color); }
      if (color[3] === 1) { break; }
    }
    const dark = getComputedStyle(document.documentElement).colorScheme.includes('dark')
      && matchMedia('(prefers-color-scheme: dark)').matches;
    return layers.reverse().reduce((below, top) => over(top, below), dark ? [18, 18, 18, 1] : [255, 255, 255, 1]);
  }

  // Text differs enough from what is behind it (WCAG 2, level AA).
  function contrast() {
    const seen = new Set();
    document.querySelectorAll(options.within).forEach((top) => {
      const walker = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement;
        if (!node.data.trim() || !isShown(element) || element.closest('script,style,title,desc,canvas')) { continue; }
        const style = getComputedStyle(element);
        const isSvg = element.namespaceURI.endsWith('svg');
        const text = rgba(isSvg ? style.fill : style.color);
        // What only places marks below the letters of a field is for nobody to read.
        if (text[3] === 0 && element.closest('[aria-hidden=true]')) { continue; }
        const back = behind(element);
        const [bright, dim] = [luminance(over(text, back)), luminance(back)].sort((a, b) => b - a);
        const ratio = (bright + 0.05) / (dim + 0.05);
        const size = parseFloat(style.fontSize);
        const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        const key = `${style.color} ${style.fill} ${back}`;
        if (ratio < (isLarge ? 3 : 4.5) && !seen.has(key)) {
          seen.add(key);
          report(`contrast ${ratio.toFixed(2)} of ${name(element)}`);
        }
      }
    });
  }

  // Everything has a name, and stands where programs that read aloud look for it.
  function labels() {
    if (!document.documentElement.lang) { report('the page has no language'); }
    if (!document.title.trim()) { report('the page has no title'); }
    const ids = new Set();
    document.querySelectorAll('[id]').forEach((element) => {
      if (ids.has(element.id)) { report(`two elements are called #${element.id}`); }
      ids.add(element.id);
    });
    document.querySelectorAll(options.within).forEach((top) => {
      let level = 0;
      top.querySelectorAll('h1,h2,h3,h4,h5,h6').forEach((heading) => {
        const next = Number(heading.tagName[1]);
        if (next > level + 1) { report(`a heading of level ${next} behind one of ${level}: ${name(heading)}`); }
        if (!heading.textContent.trim()) { report('an empty heading'); }
        level = next;
      });
      if (level === 0) { report('there is no heading'); }
      top.querySelectorAll('img').forEach((image) => {
        if (!image.getAttribute('alt')) { report(`a picture without a description: ${image.src}`); }
        if (!image.complete || image.naturalWidth === 0) { report(`a picture isn't there: ${image.src}`); }
      });
      top.querySelectorAll('svg').forEach((svg) => {
        const isHidden = svg.getAttribute('aria-hidden') === 'true' || svg.closest('[aria-hidden=true],button,a');
        const isNamed = ['img', 'group'].includes(svg.getAttribute('role')) && svg.getAttribute('aria-label');
        if (!isHidden && !isNamed) { report(`a drawing without a description: ${name(svg)}`); }
      });
      top.querySelectorAll('a,button,[role=region],nav').forEach((element) => {
        const text = element.getAttribute('aria-label') || element.title || element.textContent.trim();
        if (!text) { report(`no name: ${element.outerHTML.slice(0, 80)}`); }
      });
      top.querySelectorAll('input,select,textarea').forEach((input) => {
        if (!input.labels.length && !input.getAttribute('aria-label')) { report(`a field without a label: ${name(input)}`); }
      });
      top.querySelectorAll('table').forEach((table) => {
        if (!table.querySelector('th')) { report(`a table without headings: ${name(table)}`); }
      });
      top.querySelectorAll('a[href^="#"]').forEach((link) => {
        const isView = options.hasViews && /^#[a-z]+(\?|$)/.test(link.hash);
        if (!isView && !document.getElementById(decodeURIComponent(link.hash.slice(1)))) { report(`a link to nowhere: ${link.hash}`); }
      });
    });
  }

  overflow();
  plots();
  contrast();
  labels();
  return problems;
})
