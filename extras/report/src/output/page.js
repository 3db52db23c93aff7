(function () {
  'use strict';
  document.documentElement.classList.add('js');
  function key(cell) {
    var number = cell.getAttribute('data-v');
    return number === null ? cell.textContent : Number(number);
  }
  // Empty cells stand last, numbers before texts.
  function compare(one, other, up) {
    if (one === other) { return 0; }
    if (one === '') { return 1; }
    if (other === '') { return -1; }
    if (typeof one !== typeof other) { return typeof one === 'number' ? -1 : 1; }
    var order = typeof one === 'number' ? one - other : one.localeCompare(other);
    return up ? order : -order;
  }
  function sortable(table) {
    var heads = Array.from(table.tHead.rows[0].cells);
    heads.forEach(function (head, place) {
      function sort() {
        var up = head.getAttribute('aria-sort') !== 'ascending';
        heads.forEach(function (other) { other.removeAttribute('aria-sort'); });
        head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
        var body = table.tBodies[0];
        Array.from(body.rows).sort(function (one, other) {
          return compare(key(one.cells[place]), key(other.cells[place]), up);
        }).forEach(function (row) { body.appendChild(row); });
      }
      var button = document.createElement('button');
      button.type = 'button';
      button.title = 'Sort by this column';
      button.append.apply(button, Array.from(head.childNodes));
      head.appendChild(button);
      button.addEventListener('click', sort);
    });
  }
  function filterable(table) {
    var rows = Array.from(table.tBodies[0].rows);
    if (!(rows.length > 8)) { return; }
    var label = document.createElement('label');
    var input = document.createElement('input');
    label.className = 'filter';
    label.textContent = 'Show rows that contain ';
    input.type = 'search';
    input.addEventListener('input', function () {
      var words = input.value.toLowerCase().split(' ').filter(Boolean);
      rows.forEach(function (row) {
        var text = row.textContent.toLowerCase();
        row.hidden = !words.every(function (word) { return text.includes(word); });
      });
    });
    label.appendChild(input);
    table.parentNode.parentNode.insertBefore(label, table.parentNode);
  }
  // A plot as a file of its own. Pictures of points are for paper, so they take the light colors.
  function svgText(plot, isForPaper) {
    var copy = plot.cloneNode(true);
    var style = document.createElementNS(plot.namespaceURI, 'style');
    var rules = document.getElementById('plot-style').textContent;
    style.textContent = isForPaper ? rules.replace('(prefers-color-scheme:dark)', 'not all') : rules;
    copy.insertBefore(style, copy.firstChild);
    return 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(new XMLSerializer().serializeToString(copy));
  }
  function save(address, name) {
    var link = document.createElement('a');
    link.href = address;
    link.download = name;
    link.click();
  }
  function savePng(plot, name) {
    var picture = new Image();
    picture.onload = function () {
      var canvas = document.createElement('canvas');
      var brush = canvas.getContext('2d');
      // Three points for each pixel of the screen: about 300 in an inch.
      canvas.width = 3 * picture.naturalWidth;
      canvas.height = 3 * picture.naturalHeight;
      brush.fillStyle = '#ffffff';
      brush.fillRect(0, 0, canvas.width, canvas.height);
      brush.drawImage(picture, 0, 0, canvas.width, canvas.height);
      save(canvas.toDataURL('image/png'), name);
    };
    picture.src = svgText(plot, true);
  }
  function savable(figure) {
    var plot = figure.querySelector('svg.plot');
    var title = figure.querySelector('strong').textContent;
    var name = title.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean).join('-') || 'plot';
    var line = document.createElement('p');
    line.className = 'save';
    line.textContent = 'Save as ';
    function add(kind, action) {
      var button = document.createElement('button');
      button.type = 'button';
      button.textContent = kind;
      button.setAttribute('aria-label', 'Save as ' + kind + ': ' + title);
      button.addEventListener('click', action);
      line.append(button, ' ');
    }
    add('SVG', function () { save(svgText(plot, false), name + '.svg'); });
    add('PNG', function () { savePng(plot, name + '.png'); });
    figure.appendChild(line);
  }
  document.querySelectorAll('figure').forEach(savable);
  document.querySelectorAll('table').forEach(function (table) {
    sortable(table);
    if (!table.closest('.front')) { filterable(table); }
  });
}());
