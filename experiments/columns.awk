# A CSV file, whose cells hold no line ends, as a table of columns: numbers with four
# digits and flush right, what is missing as a dash.

function cell(text) {
    gsub(/"/, "", text)
    if (text == "")
        return "-"
    if (text ~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/ && text + 0 != int(text))
        return sprintf("%.4g", text)
    return text
}

BEGIN { FS = "," }

{
    for (i = 1; i <= NF; i++) {
        cells[NR, i] = cell($i)
        if (length(cells[NR, i]) > width[i])
            width[i] = length(cells[NR, i])
        if (NR > 1 && cells[NR, i] !~ /^[-0-9|]/)
            words[i] = 1
    }
    columns = NF
}

END {
    for (row = 1; row <= NR; row++) {
        line = ""
        for (i = 1; i <= columns; i++)
            line = line sprintf(words[i] ? "  %-" width[i] "s" : "  %" width[i] "s", cells[row, i])
        sub(/ +$/, "", line)
        print line
    }
}
